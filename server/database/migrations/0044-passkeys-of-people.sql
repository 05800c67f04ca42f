set lock_timeout = '2s';
set statement_timeout = '60s';

-- A public key is no credential: only its authenticator can sign, and it signs only for its own domain. The erasure of a
-- person deletes the passkeys, also in a process of the previous version.
create table directory.passkeys (
  id bigint generated always as identity primary key,
  service_user_id bigint not null references directory.people (service_user_id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  copied_at timestamptz
);
comment on column directory.passkeys.public_key is 'In the form of COSE.';
comment on column directory.passkeys.sign_count is 'Of the last signature. It only grows, or is always 0; otherwise there is a second copy of the private key.';
comment on column directory.passkeys.copied_at is 'When a signature with an old count was last refused: then somebody has a copy of the private key.';
create index passkeys_by_user on directory.passkeys (service_user_id);
grant select, insert, update, delete on directory.passkeys to coffer_service;

-- What a passkey signs: for one purpose, once, within minutes, and in the login that asked for it if there is one.
create table directory.passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('log_in', 'widget', 'add')),
  log_in_id uuid references directory.log_ins (id) on delete cascade,
  expires_at timestamptz not null,
  check ((purpose = 'add') = (log_in_id is not null))
);
create index passkey_challenges_by_log_in on directory.passkey_challenges (log_in_id);
create index passkey_challenges_by_expiry on directory.passkey_challenges (expires_at);
grant select, insert, delete on directory.passkey_challenges to coffer_service;
