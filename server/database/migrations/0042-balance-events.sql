set lock_timeout = '2s';
set statement_timeout = '60s';

-- Off by default, also for apps that the previous version registers during an upgrade. No row is rewritten.
alter table directory.client_apps add column balance_events_since timestamptz;
comment on column directory.client_apps.balance_events_since is 'The app gets balance.changed for operations from then on. null: it gets none.';

-- The same as before, with the new setting.
create or replace function events.add_app_change() returns trigger language plpgsql
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

create table books.tail (
  only_row boolean primary key default true check (only_row),
  read_to timestamptz not null
);
comment on table books.tail is 'How far the reader of new operations is. It changes in the transaction of what the reader causes.';
comment on column books.tail.read_to is 'Every operation before it was read, and none from it on.';
insert into books.tail (read_to) values (now());
grant select on books.tail to coffer_service;
grant update (read_to) on books.tail to coffer_service;

-- No foreign key: its checks would lock rows of links.
create table events.changed_balances (
  link_id uuid primary key,
  due_at timestamptz not null
);
comment on table events.changed_balances is 'Links whose app gets balance.changed when it is due. Further changes until then belong to the same event.';
comment on column events.changed_balances.link_id is 'public_id of directory.links.';
create index changed_balances_due on events.changed_balances (due_at);
grant select, insert, delete on events.changed_balances to coffer_service;
-- For the lock on the rows that one process reports.
grant update (due_at) on events.changed_balances to coffer_service;
