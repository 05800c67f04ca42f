set lock_timeout = '2s';
set statement_timeout = '60s';

-- What client apps learn about. Whatever changes something adds a row to the outbox in its own transaction. One process
-- at a time moves the committed rows to the events and numbers them per client app.
create schema events;
grant usage on schema events to coffer_service;

create table events.outbox (
  position bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  client_app_id bigint not null references directory.client_apps (id),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table events.outbox is 'Events that have no number yet. A row that is committed late is moved late, so position does not number events.';
comment on column events.outbox.id is 'The id of the event.';
grant select, insert (client_app_id, type, data), delete on events.outbox to coffer_service;

-- A counter is changed in the transaction that writes the events, so a number is never left out or used twice.
create table events.feeds (
  client_app_id bigint primary key references directory.client_apps (id),
  last_sequence bigint not null check (last_sequence > 0),
  last_id uuid not null
);
comment on column events.feeds.last_sequence is 'The number of the newest event of the client app; the first one is 1.';
comment on column events.feeds.last_id is 'The id of that event.';
grant select, insert, update (last_sequence, last_id) on events.feeds to coffer_service;

create table events.events (
  client_app_id bigint not null,
  sequence bigint not null check (sequence > 0),
  recorded_at timestamptz not null default now(),
  id uuid not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (client_app_id, sequence, recorded_at)
) partition by range (recorded_at);
comment on column events.events.recorded_at is 'When the event got its number.';
comment on column events.events.created_at is 'When the event happened.';
grant select, insert on events.events to coffer_service;

-- Creates the partitions of this week and the next four, unless they exist. A new partition needs the table exclusively
-- for a moment; if it does not get it, the service tries again an hour later.
create function events.prepare_partitions() returns void language plpgsql security definer
set search_path = pg_catalog set lock_timeout = '200ms' as $$
declare
  week date := date_trunc('week', now() at time zone 'UTC');
  last_week date := week + 28;
  name text;
begin
  perform pg_advisory_xact_lock(7241865325823968);
  while week <= last_week loop
    name := 'events_' || to_char(week, 'YYYY_MM_DD');
    if to_regclass(format('events.%I', name)) is null then
      execute format(
        'create table events.%I partition of events.events for values from (%L) to (%L)',
        name, week || ' 00:00+00', (week + 7) || ' 00:00+00'
      );
    end if;
    week := week + 7;
  end loop;
end
$$;
revoke execute on function events.prepare_partitions() from public;
grant execute on function events.prepare_partitions() to coffer_service;
select events.prepare_partitions();

-- Drops the weeks that ended 30 days ago or earlier, and returns how many. The service cannot delete newer events.
create function events.drop_partitions() returns integer language plpgsql security definer
set search_path = pg_catalog set lock_timeout = '200ms' as $$
declare
  oldest_week date := (now() at time zone 'UTC')::date - 37;
  expired name;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7241865325823968);
  for expired in
    select relname from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'events.events'::regclass and relname ~ '^events_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
      and to_date(substr(relname, 8), 'YYYY_MM_DD') <= oldest_week
  loop
    execute format('drop table events.%I', expired);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke execute on function events.drop_partitions() from public;
grant execute on function events.drop_partitions() to coffer_service;

-- Operators and commands change the settings of an app in many places, and so does the previous version of the service.
create function events.add_app_change() returns trigger language plpgsql
set search_path = pg_catalog as $$
declare
  changes text[] := array(
    select setting from (values
      ('name', old.name is distinct from new.name),
      ('scopes', old.scopes is distinct from new.scopes),
      ('allowedOrigins', old.allowed_origins is distinct from new.allowed_origins),
      ('allowedIframeParents', old.allowed_iframe_parents is distinct from new.allowed_iframe_parents),
      ('accentColor', old.accent_color is distinct from new.accent_color),
      ('requiresLinkProof', old.requires_link_proof is distinct from new.requires_link_proof),
      ('contactEmails', old.contact_emails is distinct from new.contact_emails),
      ('isActive', old.is_active is distinct from new.is_active),
      ('isPaused', (old.paused_at is null) is distinct from (new.paused_at is null))
    ) as settings (setting, is_changed) where is_changed
  );
begin
  if cardinality(changes) > 0 then
    insert into events.outbox (client_app_id, type, data)
      values (new.id, 'client_app.changed', jsonb_build_object('changes', changes));
  end if;
  return null;
end
$$;
revoke execute on function events.add_app_change() from public;
create trigger add_app_change after update on directory.client_apps
  for each row execute function events.add_app_change();
