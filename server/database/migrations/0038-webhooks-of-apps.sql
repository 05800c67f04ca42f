set lock_timeout = '2s';
set statement_timeout = '60s';

comment on column events.webhooks.created_by_secret is 'The client secret that created or last changed it. null: an operator did.';

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
