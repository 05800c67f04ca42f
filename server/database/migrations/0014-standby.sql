set lock_timeout = '5s';
set statement_timeout = '30s';

-- Where REQUIRE_SYNC_STANDBY is set, the service calls this in every transaction that decides about money, right
-- before it commits: the commit must wait for a standby that is known by name and attached. It runs with the rights
-- of its owner, because only they see the standbys.
create function ledger.require_standby() returns void
language plpgsql
security definer
set search_path = pg_catalog
as $$
declare
  names text := current_setting('synchronous_standby_names');
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    raise exception using errcode = 'CF001', message = 'synchronous_commit does not wait for a standby';
  end if;
  -- Anybody who streams the log satisfies a star, a backup too.
  if names = '' or names like '%*%' then
    raise exception using errcode = 'CF001', message = 'synchronous_standby_names names no standby';
  end if;
  if not exists (
    select from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming'
  ) then
    raise exception using errcode = 'CF001', message = 'no synchronous standby is attached',
      hint = 'Or the owner of this function may not see it: grant pg_read_all_stats to it.';
  end if;
end
$$;
revoke all on function ledger.require_standby() from public;
grant execute on function ledger.require_standby() to coffer_service;
