set lock_timeout = '5s';
set statement_timeout = '60s';

alter table directory.client_apps add column accent_color text;
alter table directory.client_apps
  add constraint accent_color_is_hex check (accent_color ~ '^#[0-9a-f]{6}$') not valid;
comment on column directory.client_apps.accent_color is 'Of buttons in the widget; null: ours.';
-- There are few client apps, so their table is locked for a moment only.
-- squawk-ignore require-concurrent-index-creation
create index client_apps_by_parent on directory.client_apps using gin (allowed_iframe_parents) where is_active;

-- Who has no password has not signed up by themselves and cannot log in.
alter table directory.people add column password_hash text;
alter table directory.people add column email_verified_at timestamptz;

-- A client app's view of one linked wallet, for a few minutes. App and user are those of the link.
create table directory.widget_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  link_public_id uuid not null references directory.links (public_id),
  parent_origin text,
  expires_at timestamptz not null
);
create index widget_sessions_by_expiry on directory.widget_sessions (expires_at);
grant select, insert, delete on directory.widget_sessions to coffer_service;

-- Something that a person has begun and must finish soon: a code to enter, a link to agree to.
create table directory.tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  purpose text not null check (purpose in ('sign_up', 'verify_email', 'consent', 'reset', 'change_email')),
  client_app_id bigint references directory.client_apps (id),
  service_user_id bigint references directory.service_users (id),
  first_name text,
  last_name text,
  email text,
  password_hash text,
  code_hash bytea check (octet_length(code_hash) = 32),
  tries bigint not null default 0,
  expires_at timestamptz not null
);
comment on column directory.tickets.code_hash is 'null: no code was sent, so none is right.';
create index tickets_by_expiry on directory.tickets (expires_at);
create index tickets_by_user on directory.tickets (service_user_id);
grant select, insert, update, delete on directory.tickets to coffer_service;

-- The person's own log-ins, by the cookie of the first-party page.
create table directory.log_ins (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  service_user_id bigint not null references directory.service_users (id),
  device text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index log_ins_by_user on directory.log_ins (service_user_id);
create index log_ins_by_expiry on directory.log_ins (expires_at);
grant select, insert, update, delete on directory.log_ins to coffer_service;

-- Failed log-ins by the hash of the e-mail, whether it is anybody's or not.
create table directory.log_in_failures (
  email_hash bytea primary key check (octet_length(email_hash) = 32),
  failures bigint not null,
  blocked_until timestamptz not null
);
create index log_in_failures_by_time on directory.log_in_failures (blocked_until);
grant select, insert, update, delete on directory.log_in_failures to coffer_service;
