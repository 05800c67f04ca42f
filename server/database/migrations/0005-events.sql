-- squawk-ignore-file require-lock-timeout, require-statement-timeout
-- What client apps are notified of. Whatever changes something adds a row to the outbox in its own transaction. One
-- process at a time moves the committed rows to the events and numbers them per client app.
create schema events;
grant usage on schema events to coffer_service;

-- Events that have no number yet. A row that is committed late is moved late, so position does not number events.
create table events.outbox (
  position bigint generated always as identity primary key,
  -- The id of the event.
  id uuid not null default gen_random_uuid(),
  client_app_id bigint not null references directory.client_apps (id),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert (client_app_id, type, data), delete on events.outbox to coffer_service;

-- A counter changes in the transaction that writes the events, so a number is never left out or used twice.
create table events.feeds (
  client_app_id bigint primary key references directory.client_apps (id),
  -- The number of the newest event of the client app; the first one is 1.
  last_sequence bigint not null check (last_sequence > 0),
  -- The id of that event.
  last_id uuid not null
);
grant select, insert, update (last_sequence, last_id) on events.feeds to coffer_service;

create table events.events (
  client_app_id bigint not null,
  sequence bigint not null check (sequence > 0),
  -- When the event got its number.
  recorded_at timestamptz not null default now(),
  id uuid not null,
  type text not null,
  data jsonb not null,
  -- When the event happened.
  created_at timestamptz not null,
  primary key (client_app_id, sequence, recorded_at)
) partition by range (recorded_at);
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
  -- eventPartitions in server/database/advisory-locks.ts.
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
  -- eventPartitions in server/database/advisory-locks.ts.
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

-- Links whose app gets balance.changed when it is due. Further changes until then belong to the same event.
create table events.changed_balances (
  -- public_id of directory.links. No foreign key: its checks would lock rows of links.
  link_id uuid primary key,
  due_at timestamptz not null
);
create index changed_balances_due on events.changed_balances (due_at);
-- update: for the lock on the rows that one process reports.
grant select, insert, delete, update (due_at) on events.changed_balances to coffer_service;

-- A trigger, because operators and commands change the settings of an app in many places.
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
      ('onMismatch', old.on_mismatch is distinct from new.on_mismatch),
      ('getsBalanceEvents', (old.balance_events_since is null) is distinct from (new.balance_events_since is null)),
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

-- The client app that placed a hold is notified that it expired. In the transaction of the expiry, so there is an event
-- exactly if the hold expired. The person may have unlinked the app meanwhile; then the event does not name them.
create function events.report_expiry() returns trigger language plpgsql
set search_path = pg_catalog as $$
begin
  insert into events.outbox (client_app_id, type, data)
    select a.id, 'hold.expired', jsonb_strip_nulls(jsonb_build_object(
      'serviceUserId', 'su_' || replace(l.public_id::text, '-', ''),
      'referenceType', new.reference_type, 'referenceId', new.reference_id, 'amountMinor', old.remaining::text))
    from directory.client_apps a
    left join directory.service_users u on u.wallet_id = new.wallet_id
    left join directory.links l on l.service_user_id = u.id and l.client_app_id = a.id and l.ended_at is null
    where a.account_id = new.account;
  return null;
end
$$;
revoke execute on function events.report_expiry() from public;
create trigger report_expiry after update of closed_by on ledger.holds for each row
  when (old.closed_by is null and new.closed_by = 'expiry') execute function events.report_expiry();

-- Where a client app wants to receive its events. A process that sends to a webhook leases it, so that one process at a
-- time sends to it and a target that hangs delays no other one.
create table events.webhooks (
  id uuid primary key default gen_random_uuid(),
  client_app_id bigint not null references directory.client_apps (id),
  url text not null,
  -- Only events of these types; null: all.
  types text[],
  description text not null,
  -- What signs the requests, encrypted with the pepper key_id.
  sealed_secret bytea not null,
  key_id text not null,
  -- The secret before the last rotation. It also signs until previous_until.
  sealed_previous bytea,
  previous_key_id text,
  previous_until timestamptz,
  -- The client secret that created or last changed it; null: an operator did.
  created_by_secret bigint references directory.client_secrets (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  -- The first failure after the last success; null: the last attempt succeeded.
  failing_since timestamptz,
  -- When the next delivery is due; null: none waits.
  due_at timestamptz,
  -- Who sends to it until leased_until.
  lease uuid,
  leased_until timestamptz,
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((sealed_previous is null) = (previous_key_id is null)),
  check ((sealed_previous is null) = (previous_until is null)),
  check ((lease is null) = (leased_until is null))
);
create index webhooks_by_app on events.webhooks (client_app_id) where deleted_at is null;
create index webhooks_due on events.webhooks (due_at) where due_at is not null and deleted_at is null and disabled_at is null;
grant select, insert, update on events.webhooks to coffer_service;

-- Whoever stole a secret can have sent the events somewhere. So webhooks get nothing more once the secret is revoked,
-- whatever revokes it. A secret that expires after a rotation was not stolen: its webhooks stay.
create function events.disable_webhooks() returns trigger language plpgsql
set search_path = pg_catalog as $$
declare
  ended uuid[];
begin
  -- In the order of their ids, as processes that record attempts lock them.
  select array_agg(w.id) into ended from (
    select id from events.webhooks
    where client_app_id = new.client_app_id and created_by_secret = new.id
      and deleted_at is null and disabled_at is null
    order by id for update
  ) as w;
  update events.webhooks set disabled_at = now(), disabled_reason = 'secret_ended' where id = any (ended);
  insert into events.outbox (client_app_id, type, data)
    select new.client_app_id, 'webhook.disabled',
      jsonb_build_object('webhookId', 'wh_' || replace(id::text, '-', ''), 'reason', 'secret_ended')
    from unnest(ended) as id order by id;
  return null;
end
$$;
revoke execute on function events.disable_webhooks() from public;
create trigger disable_webhooks after update of revoked_at on directory.client_secrets for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function events.disable_webhooks();

-- An event that a webhook gets. It waits while next_attempt_at is set; without delivered_at it then has failed.
create table events.deliveries (
  webhook_id uuid not null references events.webhooks (id),
  event_id uuid not null,
  -- The key of the event: client_app_id, sequence and recorded_at.
  client_app_id bigint not null,
  sequence bigint not null,
  recorded_at timestamptz not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  -- How many attempts failed since it was queued.
  failures bigint not null default 0,
  -- The last attempts: { at, status, error, durationMs, response }.
  attempts jsonb not null default '[]',
  primary key (webhook_id, event_id)
);
create index deliveries_due on events.deliveries (webhook_id, next_attempt_at, sequence) where next_attempt_at is not null;
create index deliveries_listed on events.deliveries (webhook_id, sequence);
create index deliveries_old on events.deliveries (created_at);
grant select, insert, update, delete on events.deliveries to coffer_service;

-- In the transaction that numbers the events: no event is without its deliveries. The webhooks are locked in the order
-- of their ids, as processes that record attempts do.
create function events.add_deliveries() returns trigger language plpgsql
set search_path = pg_catalog as $$
begin
  if not exists (
    select from events.webhooks w
    where w.client_app_id in (select client_app_id from added) and w.deleted_at is null and w.disabled_at is null
  ) then
    return null;
  end if;
  insert into events.deliveries (webhook_id, event_id, client_app_id, sequence, recorded_at, next_attempt_at)
    select w.id, a.id, a.client_app_id, a.sequence, a.recorded_at, now()
    from added a join events.webhooks w on w.client_app_id = a.client_app_id
    where w.deleted_at is null and w.disabled_at is null and (w.types is null or a.type = any (w.types));
  perform from events.webhooks w
    where w.client_app_id in (select client_app_id from added) and w.deleted_at is null and w.disabled_at is null
    order by w.id for update;
  -- After a failure, the next attempt to this webhook waits at least 5 seconds.
  update events.webhooks w
    set due_at = least(w.due_at, now() + case when w.failing_since is null then interval '0' else interval '5 seconds' end)
    where exists (
      select from added a
      where a.client_app_id = w.client_app_id and (w.types is null or a.type = any (w.types))
    ) and w.deleted_at is null and w.disabled_at is null;
  return null;
end
$$;
revoke execute on function events.add_deliveries() from public;
create trigger add_deliveries after insert on events.events referencing new table as added
  for each statement execute function events.add_deliveries();
