set lock_timeout = '2s';
set statement_timeout = '60s';

-- The link "This wasn't me" in emails about an account. A reset of the password must not end it, so it is not a ticket.
create table directory.warning_links (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  service_user_id bigint not null references directory.service_users (id),
  expires_at timestamptz not null
);
create index warning_links_by_user on directory.warning_links (service_user_id);
create index warning_links_by_expiry on directory.warning_links (expires_at);
grant select, insert, delete on directory.warning_links to coffer_service;

-- A constant default, so no row is rewritten.
alter table directory.people add column wants_receipts boolean not null default true;
comment on column directory.people.wants_receipts is 'Whether the person gets an email for every top-up. Emails about the security of the account are always sent.';
