set lock_timeout = '5s';
set statement_timeout = '60s';

-- The first password was handed over by somebody else, who may still know it.
alter table admin.operators add column password_changed_at timestamptz;
comment on column admin.operators.password_changed_at is 'When the operator last chose a password; null: it is still the first one.';

-- A public key opens nothing: only what holds the private one can sign, and it signs only for its own domain.
create table admin.passkeys (
  id bigint generated always as identity primary key,
  operator_id bigint not null references admin.operators (id),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on column admin.passkeys.public_key is 'In the form of COSE.';
comment on column admin.passkeys.sign_count is 'Of the last signature. It only grows, or is always 0; otherwise there is a second copy of the private key.';
create index passkeys_by_operator on admin.passkeys (operator_id);
grant select, insert, update, delete on admin.passkeys to coffer_service;

-- What a passkey is asked to sign: for one purpose, once, soon, and by the log-in that asked for it if there is one.
create table admin.passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('log_in', 'confirm', 'add')),
  log_in_id uuid references admin.log_ins (id) on delete cascade,
  expires_at timestamptz not null,
  check ((purpose = 'log_in') = (log_in_id is null))
);
create index passkey_challenges_by_log_in on admin.passkey_challenges (log_in_id);
create index passkey_challenges_by_expiry on admin.passkey_challenges (expires_at);
grant select, insert, delete on admin.passkey_challenges to coffer_service;
