-- squawk-ignore-file require-lock-timeout, require-statement-timeout
-- Everything about client apps and people, except money: small and cacheable.
create schema directory;
grant usage on schema directory to coffer_service;

-- Facts about this deployment. The key makes the ids of transactions opaque to outsiders; it protects no secret.
create table directory.deployment (
  only_row boolean primary key default true check (only_row),
  transaction_id_key uuid not null default gen_random_uuid()
);
insert into directory.deployment default values;
grant select on directory.deployment to coffer_service;

-- Which key each id of SECRET_PEPPERS and ADMIN_KEYS stands for. A fingerprint is derived from its key and does not
-- reveal it. The first process with an id records it; afterwards a process with another key under that id does not
-- start.
-- copy_checked_at is when a copy of the key outside this machine was last compared with the fingerprint.
create table directory.key_fingerprints (
  variable text not null check (variable in ('SECRET_PEPPERS', 'ADMIN_KEYS')),
  key_id text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  copy_checked_at timestamptz,
  primary key (variable, key_id)
);
grant select, insert on directory.key_fingerprints to coffer_service;
grant update (copy_checked_at) on directory.key_fingerprints to coffer_service;

-- Which process does a background job that one process at a time should do: the holder, which renews its lease until it
-- stops.
create table directory.leases (
  job text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
grant select, insert, update, delete on directory.leases to coffer_service;

-- What is left of the rate limits that all processes share. Processes take tokens in portions, so there is no write per
-- request. After a crash of the database the table is empty, and all limits begin again.
create unlogged table directory.rate_limits (
  -- HMAC-SHA-256 of the limit and its key, which can be a network address.
  key_hash bytea primary key check (octet_length(key_hash) = 32),
  tokens double precision not null,
  -- What the last process got.
  leased double precision not null,
  refilled_at timestamptz not null default now()
);
create index rate_limits_by_time on directory.rate_limits (refilled_at);
grant select, insert, update, delete on directory.rate_limits to coffer_service;

create table directory.client_apps (
  id bigint generated always as identity primary key,
  client_id text not null unique,
  name text not null,
  -- The ledger account, which is also the namespace of the app's references.
  account_id bigint not null unique,
  scopes text[] not null check (scopes <@ array['wallet:read', 'wallet:write']),
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  allowed_iframe_parents text[] not null default '{}' check (cardinality(allowed_iframe_parents) <= 50),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- The color of buttons in the widget; null: the default color.
  accent_color text constraint accent_color_is_hex check (accent_color ~ '^#[0-9a-f]{6}$'),
  -- A paused app can read, and its pages can embed the widget; what would move money through it is refused. null: it is
  -- not paused.
  paused_at timestamptz,
  paused_by text,
  pause_reason text,
  -- Who is notified of changes to the app, and receives the secret after an emergency rotation.
  contact_emails text[] not null default '{}' check (cardinality(contact_emails) <= 10),
  -- Debits in one hour, in minor units, above which there is an alert; null: never.
  debit_alert_above bigint check (debit_alert_above > 0),
  -- Whether an alert also pauses the writes of the app.
  pauses_on_debit_alert boolean not null default false,
  -- What a repeat of a reference with other values gets: 409 REFERENCE_MISMATCH (conflict) or the outcome of the first
  -- request (replay).
  on_mismatch text not null check (on_mismatch in ('replay', 'conflict')),
  -- The app gets balance.changed for operations from then on. null: it gets none.
  balance_events_since timestamptz,
  constraint pause_is_whole check (
    (paused_at is null) = (paused_by is null) and (paused_at is null) = (pause_reason is null)
  )
);
create index client_apps_by_parent on directory.client_apps using gin (allowed_iframe_parents) where is_active;
grant select, insert, update on directory.client_apps to coffer_service;

create table directory.client_secrets (
  id bigint generated always as identity primary key,
  client_app_id bigint not null references directory.client_apps (id),
  -- Covers the restriction, too.
  hmac bytea not null check (octet_length(hmac) = 32),
  pepper_id text not null,
  created_at timestamptz not null default now(),
  -- The end of the overlap after a rotation; null: until rotated.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The pepper that the hash was made with before. It is not returned to: while peppers rotate, processes disagree on
  -- which one is the newest.
  renewed_from text,
  -- What the secret is limited to: { name, scopes, networks }. null: it can do everything that the client app can do.
  restriction jsonb
);
create index client_secrets_by_app on directory.client_secrets (client_app_id);
create index client_secrets_live_by_pepper on directory.client_secrets (pepper_id, client_app_id) where revoked_at is null;
grant select, insert, update on directory.client_secrets to coffer_service;

-- Counts every change to client apps and their secrets, in the transaction of the change. Each process polls this
-- one row and drops its caches when the number has changed.
create table directory.client_app_version (only_row boolean primary key default true check (only_row), version bigint not null);
insert into directory.client_app_version (version) values (0);
grant select on directory.client_app_version to coffer_service;
create function directory.count_client_app_change() returns trigger language plpgsql security definer
set search_path = pg_catalog as $$
begin
  update directory.client_app_version set version = version + 1;
  return null;
end
$$;
create trigger count_change after insert or update or delete on directory.client_apps
  for each statement execute function directory.count_client_app_change();
create trigger count_change after insert or update or delete on directory.client_secrets
  for each statement execute function directory.count_client_app_change();

create table directory.service_users (
  id bigint generated always as identity primary key,
  wallet_id bigint not null unique,
  created_at timestamptz not null default now()
);
grant select, insert, update on directory.service_users to coffer_service;

-- Names and email addresses are apart, so that a person can be erased while the books stay complete.
create table directory.people (
  service_user_id bigint primary key references directory.service_users (id),
  first_name text not null,
  last_name text not null,
  email text not null,
  -- null: the person has not signed up and cannot log in.
  password_hash text,
  email_verified_at timestamptz,
  -- null: not since the account was created.
  password_changed_at timestamptz,
  -- Whether the person gets an email for every top-up. Emails about the security of the account are always sent.
  wants_receipts boolean not null default true,
  -- Of the pages at /account and of emails; null: that of the browser.
  language text check (language in ('en', 'de', 'es'))
);
create unique index people_by_email on directory.people (lower(email));
-- Operators search people by the beginning of the email address and by the beginnings of the words of the name.
create index people_by_email_start on directory.people (lower(email) text_pattern_ops);
create index people_by_name on directory.people
  using gin (to_tsvector('simple', first_name || ' ' || last_name)) with (fastupdate = off);
grant select, insert, update, delete on directory.people to coffer_service;

-- Who linked which client app. The public id is random and belongs to this link alone. An ended link keeps its row, so
-- that a late retry is still recognized as a repeat; it never becomes active again.
create table directory.links (
  -- serviceUserId in the API: su_ and these 128 random bits in hex.
  public_id uuid primary key,
  client_app_id bigint not null references directory.client_apps (id),
  service_user_id bigint not null references directory.service_users (id),
  wallet_id bigint not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- When the person agreed again, as they must after a change of the password; null: when the link was created.
  agreed_at timestamptz
);
create unique index links_live on directory.links (service_user_id, client_app_id) where ended_at is null;
create index links_by_app on directory.links (client_app_id);
create index links_by_user on directory.links (service_user_id);
grant select, insert, update (ended_at, agreed_at) on directory.links to coffer_service;

create table directory.link_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  link_public_id uuid not null references directory.links (public_id),
  expires_at timestamptz not null,
  -- SHA-256 of the verifier that the exchange must send. The client app's backend keeps the random verifier, so a link
  -- code works only for the browser and the app user that asked for it.
  challenge bytea not null check (octet_length(challenge) = 32)
);
create index link_codes_by_expiry on directory.link_codes (expires_at);
grant select, insert, delete on directory.link_codes to coffer_service;

-- A client app's view of one linked wallet, for a few minutes. App and user are those of the link.
create table directory.widget_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  link_public_id uuid not null references directory.links (public_id),
  parent_origin text,
  expires_at timestamptz not null
);
create index widget_sessions_by_expiry on directory.widget_sessions (expires_at);
grant select, insert, delete on directory.widget_sessions to coffer_service;

-- Something that a person has started and must finish soon: a code to enter, a link to agree to.
create table directory.tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  purpose text not null check (purpose in (
    'sign_up', 'verify_email', 'consent', 'reset_link', 'change_email', 'client_secret', 'saved_card'
  )),
  client_app_id bigint references directory.client_apps (id),
  service_user_id bigint references directory.service_users (id),
  first_name text,
  last_name text,
  email text,
  -- Sign-up: of the new account. Otherwise the one that the person logged in with: the ticket does not work after it
  -- changes.
  password_hash text,
  -- null: no code was sent, so none is right.
  code_hash bytea check (octet_length(code_hash) = 32),
  tries bigint not null default 0,
  expires_at timestamptz not null,
  -- The challenge of the link code to come; null: there will be no code.
  link_challenge bytea check (octet_length(link_challenge) = 32)
);
create index tickets_by_expiry on directory.tickets (expires_at);
create index tickets_by_user on directory.tickets (service_user_id);
grant select, insert, update, delete on directory.tickets to coffer_service;

-- The link that the previous address gets after a change of the email address. A reset of the password and another
-- change must not end it, so it is not a ticket.
create table directory.undo_links (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  service_user_id bigint not null references directory.service_users (id),
  -- The address that the link restores.
  email text not null,
  expires_at timestamptz not null
);
create index undo_links_by_user on directory.undo_links (service_user_id);
create index undo_links_by_expiry on directory.undo_links (expires_at);
grant select, insert, delete on directory.undo_links to coffer_service;

-- The link "This wasn't me" in emails about an account. A reset of the password must not end it, so it is not a ticket.
create table directory.warning_links (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  service_user_id bigint not null references directory.service_users (id),
  expires_at timestamptz not null
);
create index warning_links_by_user on directory.warning_links (service_user_id);
create index warning_links_by_expiry on directory.warning_links (expires_at);
grant select, insert, delete on directory.warning_links to coffer_service;

-- The person's own logins, by the cookie of the first-party pages.
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

-- Failed logins by the hash of the email address, whether somebody has it or not.
create table directory.log_in_failures (
  email_hash bytea primary key check (octet_length(email_hash) = 32),
  failures bigint not null,
  blocked_until timestamptz not null
);
create index log_in_failures_by_time on directory.log_in_failures (blocked_until);
grant select, insert, update, delete on directory.log_in_failures to coffer_service;

-- A public key is no credential: only its authenticator can sign, and it signs only for its own domain.
create table directory.passkeys (
  id bigint generated always as identity primary key,
  service_user_id bigint not null references directory.people (service_user_id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- In the format of COSE.
  public_key bytea not null,
  -- Of the last signature. It only grows, or is always 0; otherwise there is a second copy of the private key.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- When a signature with an old count was last refused: then somebody has a copy of the private key.
  copied_at timestamptz
);
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

-- About what a person wants an email. payment: a payment of at least the threshold. balance: the balance falls below
-- it.
create table directory.alerts (
  service_user_id bigint not null references directory.people (service_user_id) on delete cascade,
  kind text not null check (kind in ('payment', 'balance')),
  wallet_id bigint not null,
  threshold bigint not null check (threshold > 0),
  -- When the threshold was set.
  since timestamptz not null default clock_timestamp(),
  -- The number of the last operation of the wallet when the threshold was set. Only later ones count.
  after_seq bigint not null,
  -- Of kind balance: it was below the threshold after the last operation that was read.
  is_low boolean not null default false,
  -- No email of this kind is sent earlier. The process that sends one sets it first, so that no other process does.
  next_email_at timestamptz not null default clock_timestamp(),
  primary key (service_user_id, kind)
);
create index alerts_by_wallet on directory.alerts (wallet_id, kind);
create index alerts_by_start on directory.alerts (since);
grant select, insert, delete, update (threshold, since, after_seq, is_low, next_email_at)
  on directory.alerts to coffer_service;

-- Operations about which an email is due. Their texts and amounts are read when it is sent.
create table directory.alert_emails (
  service_user_id bigint not null,
  kind text not null,
  -- The number of the operation in the wallet.
  seq bigint not null,
  -- The time of the operation, which finds its partition.
  operation_at timestamptz not null,
  primary key (service_user_id, kind, seq),
  foreign key (service_user_id, kind) references directory.alerts (service_user_id, kind) on delete cascade
);
create unique index alert_emails_one_balance on directory.alert_emails (service_user_id) where kind = 'balance';
create index alert_emails_by_time on directory.alert_emails (operation_at);
grant select, insert, delete on directory.alert_emails to coffer_service;
