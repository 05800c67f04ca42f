set lock_timeout = '2s';
set statement_timeout = '60s';

-- A person who logs in at an app that is already linked agrees again if the password has changed since the last consent.
-- Both columns are nullable and without default, so no row is rewritten. The tables are altered in the order in which
-- most statements of the service lock them.
alter table directory.links add column agreed_at timestamptz;
comment on column directory.links.agreed_at is 'When the person agreed again; null: when the link was created.';
grant update (agreed_at) on directory.links to coffer_service;
alter table directory.people add column password_changed_at timestamptz;
comment on column directory.people.password_changed_at is 'null: not since the account was created, or by a version before this column.';

-- The ticket in the link that resets a password. It has a purpose of its own, because the previous version returns the
-- ticket of a 'reset' to whoever requests it, and requires a code beside it.
alter table directory.tickets drop constraint tickets_purpose_check;
alter table directory.tickets add constraint tickets_purpose_check
  check (purpose in ('sign_up', 'verify_email', 'consent', 'reset', 'reset_link', 'change_email')) not valid;
comment on column directory.tickets.password_hash is 'Sign-up: of the new account. Otherwise the one that the person logged in with: the ticket is worth nothing after it changes.';

-- What is left of the rate limits that all processes share. Processes take tokens in portions, so there is no write per
-- request. After a crash of the database the table is empty, and all limits begin again.
create unlogged table directory.rate_limits (
  key_hash bytea primary key check (octet_length(key_hash) = 32),
  tokens double precision not null,
  leased double precision not null,
  refilled_at timestamptz not null default now()
);
comment on column directory.rate_limits.key_hash is 'HMAC-SHA-256 of the limit and its key, which can be a network address.';
comment on column directory.rate_limits.leased is 'What the last process got.';
create index rate_limits_by_time on directory.rate_limits (refilled_at);
grant select, insert, update, delete on directory.rate_limits to coffer_service;
