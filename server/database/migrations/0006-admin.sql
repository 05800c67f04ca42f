set lock_timeout = '5s';
set statement_timeout = '60s';

-- The operators and everything that they did. Nothing here is anybody's money.
create schema admin;
grant usage on schema admin to coffer_service;

create table admin.operators (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  password_hash text not null,
  totp_seed bytea,
  totp_key_id text,
  totp_step bigint not null default 0,
  recovery_hmacs bytea[] not null default '{}',
  is_active boolean not null default true,
  created_by bigint references admin.operators (id),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  check ((totp_seed is null) = (totp_key_id is null))
);
comment on column admin.operators.totp_seed is 'AES-256-GCM with a key that is not in the database; null: no authenticator is set up yet.';
comment on column admin.operators.totp_step is 'Of the last code that was accepted; only later ones are accepted after it.';
comment on column admin.operators.recovery_hmacs is 'HMAC-SHA-256 with the same key; a code that was used is removed.';
create unique index operators_by_email on admin.operators (lower(email));
grant select, insert, update on admin.operators to coffer_service;

create table admin.log_ins (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  operator_id bigint not null references admin.operators (id),
  address text not null,
  device text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on column admin.log_ins.confirmed_at is 'When password and code were last given.';
create index log_ins_by_operator on admin.log_ins (operator_id);
create index log_ins_by_expiry on admin.log_ins (expires_at);
grant select, insert, update, delete on admin.log_ins to coffer_service;

-- Between the password and the code. A seed that is being set up counts only when its first code was right.
create table admin.tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  operator_id bigint not null references admin.operators (id),
  totp_seed bytea,
  totp_key_id text,
  tries bigint not null default 0,
  expires_at timestamptz not null,
  check ((totp_seed is null) = (totp_key_id is null))
);
create index admin_tickets_by_operator on admin.tickets (operator_id);
create index admin_tickets_by_expiry on admin.tickets (expires_at);
grant select, insert, update, delete on admin.tickets to coffer_service;

-- Append-only: the service's role can insert and read, nothing else.
create table admin.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  actor_id bigint,
  address text,
  action text not null,
  subject text,
  before jsonb,
  after jsonb
);
comment on column admin.audit.actor is 'The e-mail at that time, or the command line.';
create index audit_by_time on admin.audit (at, id);
grant select, insert on admin.audit to coffer_service;

-- What was seen of a client app's integration lately: a few rows per app, written at most once a minute each.
create table admin.seen (
  client_app_id bigint not null references directory.client_apps (id),
  kind text not null check (kind in ('origin', 'error')),
  value text not null,
  times bigint not null,
  last_at timestamptz not null default now(),
  primary key (client_app_id, kind, value)
);
grant select, insert, update, delete on admin.seen to coffer_service;

-- Stands apart from the secrets, because a change there makes every process forget its client apps.
create table admin.secret_uses (
  secret_id bigint primary key references directory.client_secrets (id),
  used_at timestamptz not null default now()
);
grant select, insert, update on admin.secret_uses to coffer_service;
