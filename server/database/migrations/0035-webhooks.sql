set lock_timeout = '2s';
set statement_timeout = '60s';

-- Where a client app wants to receive its events. A process that sends to a webhook leases it, so that one process at a
-- time sends to it and a target that hangs delays no other one.
create table events.webhooks (
  id uuid primary key default gen_random_uuid(),
  client_app_id bigint not null references directory.client_apps (id),
  url text not null,
  types text[],
  description text not null,
  sealed_secret bytea not null,
  key_id text not null,
  sealed_previous bytea,
  previous_key_id text,
  previous_until timestamptz,
  created_by_secret bigint references directory.client_secrets (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((sealed_previous is null) = (previous_key_id is null)),
  check ((sealed_previous is null) = (previous_until is null)),
  check ((lease is null) = (leased_until is null))
);
comment on column events.webhooks.types is 'Only events of these types. null: all.';
comment on column events.webhooks.sealed_secret is 'What signs the requests, encrypted with the pepper key_id.';
comment on column events.webhooks.sealed_previous is 'The secret before the last rotation. It also signs until previous_until.';
comment on column events.webhooks.created_by_secret is 'The client secret that created it. null: an operator did.';
comment on column events.webhooks.failing_since is 'The first failure after the last success. null: the last attempt succeeded.';
comment on column events.webhooks.due_at is 'When the next delivery is due. null: none waits.';
comment on column events.webhooks.lease is 'Who sends to it until leased_until.';
create index webhooks_by_app on events.webhooks (client_app_id) where deleted_at is null;
create index webhooks_due on events.webhooks (due_at) where due_at is not null and deleted_at is null and disabled_at is null;
grant select, insert, update on events.webhooks to coffer_service;

create table events.deliveries (
  webhook_id uuid not null references events.webhooks (id),
  event_id uuid not null,
  client_app_id bigint not null,
  sequence bigint not null,
  recorded_at timestamptz not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  failures bigint not null default 0,
  attempts jsonb not null default '[]',
  primary key (webhook_id, event_id)
);
comment on table events.deliveries is 'An event that a webhook gets. It waits while next_attempt_at is set; without delivered_at it then has failed.';
comment on column events.deliveries.recorded_at is 'The key of the event, together with client_app_id and sequence.';
comment on column events.deliveries.failures is 'How many attempts failed since it was queued.';
comment on column events.deliveries.attempts is 'The last attempts: { at, status, error, durationMs, response }.';
create index deliveries_due on events.deliveries (webhook_id, next_attempt_at, sequence) where next_attempt_at is not null;
create index deliveries_listed on events.deliveries (webhook_id, sequence);
create index deliveries_old on events.deliveries (created_at);
grant select, insert, update, delete on events.deliveries to coffer_service;

-- In the transaction that numbers the events, whatever the version of the process: no event is without its deliveries.
-- The webhooks are locked in the order of their ids, as processes that record attempts do.
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
  -- One that fails rests between its attempts.
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
