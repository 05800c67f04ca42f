set lock_timeout = '2s';
set statement_timeout = '60s';

-- The client app that placed a hold learns that it expired. In the transaction of the expiry, whatever the version of the
-- process: there is an event exactly if the hold expired. The person may have unlinked the app meanwhile; then the event
-- does not name them.
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

-- Debits do not touch this table. Holds wait while the lock is held or requested, so it is short.
create trigger report_expiry after update of closed_by on ledger.holds for each row
  when (old.closed_by is null and new.closed_by = 'expiry') execute function events.report_expiry();
