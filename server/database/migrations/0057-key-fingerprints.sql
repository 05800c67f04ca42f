set lock_timeout = '2s';
set statement_timeout = '60s';

-- Which key each id of SECRET_PEPPERS and ADMIN_KEYS stands for. A fingerprint is derived from its key and does not
-- reveal it. The first process with an id records it; afterwards a process with another key under that id does not start.
create table directory.key_fingerprints (
  variable text not null check (variable in ('SECRET_PEPPERS', 'ADMIN_KEYS')),
  key_id text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  primary key (variable, key_id)
);
grant select, insert on directory.key_fingerprints to coffer_service;
