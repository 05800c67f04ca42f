set lock_timeout = '2s';
set statement_timeout = '60s';

-- What a repeat of a reference with other values gets. The default is the specification, also for apps that the previous
-- version registers during an upgrade. A constant default rewrites no row.
alter table directory.client_apps add column on_mismatch text not null default 'replay';
alter table directory.client_apps add constraint client_apps_on_mismatch_check
  check (on_mismatch in ('replay', 'conflict')) not valid;
comment on column directory.client_apps.on_mismatch is 'What a repeat of a reference with other values gets: the outcome of the first request (replay) or 409 REFERENCE_MISMATCH (conflict).';

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
