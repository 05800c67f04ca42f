set lock_timeout = '5s';
set statement_timeout = '60s';

-- Everything beside the money: client apps, people, links. Small and cacheable; stays on one cluster.
create schema directory;
grant usage on schema directory to coffer_service;

create table directory.client_apps (
  id bigint generated always as identity primary key,
  client_id text not null unique,
  name text not null,
  account_id bigint not null unique,
  scopes text[] not null check (scopes <@ array['wallet:read', 'wallet:write']),
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  allowed_iframe_parents text[] not null default '{}' check (cardinality(allowed_iframe_parents) <= 50),
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
comment on column directory.client_apps.account_id is 'The settlement account in the ledger, which is also the namespace of the app''s references.';
grant select, insert, update on directory.client_apps to coffer_service;

create table directory.client_secrets (
  id bigint generated always as identity primary key,
  client_app_id bigint not null references directory.client_apps (id),
  hmac bytea not null check (octet_length(hmac) = 32),
  pepper_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
comment on column directory.client_secrets.expires_at is 'The end of the overlap after a rotation; null: until rotated.';
create index client_secrets_by_app on directory.client_secrets (client_app_id);
grant select, insert, update on directory.client_secrets to coffer_service;

-- Counts every change to client apps and their secrets, in the transaction of the change. Each process polls this
-- one row and drops what it remembers when the number moved.
create table directory.client_app_version (only_row boolean primary key default true check (only_row), version bigint not null);
insert into directory.client_app_version (version) values (0);
grant select on directory.client_app_version to coffer_service;
create function directory.count_client_app_change() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
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

-- Names and e-mail stand apart, so that a person can be erased while the books stay whole.
create table directory.people (
  service_user_id bigint primary key references directory.service_users (id),
  first_name text not null,
  last_name text not null,
  email text not null
);
create unique index people_by_email on directory.people (lower(email));
grant select, insert, update, delete on directory.people to coffer_service;

-- Who linked which client app. The public id is random and belongs to this link alone. An ended link keeps its row,
-- so that a late retry can still be recognised as a repeat; it never comes alive again.
create table directory.links (
  public_id uuid primary key,
  client_app_id bigint not null references directory.client_apps (id),
  service_user_id bigint not null references directory.service_users (id),
  wallet_id bigint not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
comment on column directory.links.public_id is 'serviceUserId on the wire: su_ and these 128 random bits in hex.';
create unique index links_live on directory.links (service_user_id, client_app_id) where ended_at is null;
create index links_by_app on directory.links (client_app_id);
grant select, insert on directory.links to coffer_service;
grant update (ended_at) on directory.links to coffer_service;

create table directory.link_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  link_public_id uuid not null references directory.links (public_id),
  expires_at timestamptz not null
);
create index link_codes_by_expiry on directory.link_codes (expires_at);
grant select, insert, delete on directory.link_codes to coffer_service;

-- One row of facts about this deployment. The key makes transaction ids opaque to outsiders; it guards no secret.
create table directory.deployment (
  only_row boolean primary key default true check (only_row),
  transaction_id_key uuid not null default gen_random_uuid()
);
insert into directory.deployment default values;
grant select on directory.deployment to coffer_service;
