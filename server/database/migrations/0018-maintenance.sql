set lock_timeout = '5s';
set statement_timeout = '60s';

-- Creates the partition of a month, unless it exists. One call, and one transaction, per month: a month that cannot be
-- created, because the default partition contains rows of it, does not prevent the others. A new partition needs the
-- table exclusively for a moment. Instead of making all debits wait behind a long reader, it gives up; the service
-- tries again an hour later, months before the partition is needed.
-- The previous version of the service calls prepare_partitions(), which a later migration removes.
create function ledger.prepare_partition(month date) returns void language plpgsql security definer
set search_path = pg_catalog set lock_timeout = '200ms' as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  name text := 'operations_' || to_char(month, 'YYYY_MM');
begin
  if month <> date_trunc('month', month::timestamp) or month not between this_month and this_month + interval '1 year' then
    raise exception '% is not the first day of this month or of one of the next twelve', month;
  end if;
  perform pg_advisory_xact_lock(7241865325823965);
  if not exists (
    select from pg_inherits
    where inhparent = 'ledger.operations'::regclass and inhrelid = to_regclass('ledger.' || name)
  ) then
    execute format(
      'create table ledger.%I partition of ledger.operations for values from (%L) to (%L)',
      name, month || ' 00:00+00', (month + interval '1 month')::date || ' 00:00+00'
    );
  end if;
end
$$;
revoke execute on function ledger.prepare_partition(date) from public;
grant execute on function ledger.prepare_partition(date) to coffer_service;

-- An account keeps a running balance while it has a credit limit, and already while it is getting one.
alter table ledger.accounts add constraint accounts_limit_needs_balance
  check (credit_limit is null or balance is not null) not valid;
alter table ledger.accounts drop constraint accounts_check;
comment on column ledger.accounts.balance is 'Kept for the credit limit. Without a limit it is null, or incomplete while the account is getting one.';

-- The service may delete mismatches only when they are old. Ids are in the order of time, so no index on the time is
-- needed.
create function ledger.prune_mismatches(most integer) returns integer language plpgsql security definer
set search_path = pg_catalog as $$
declare
  pruned integer;
begin
  delete from ledger.mismatches where id = any(array(select id from ledger.mismatches order by id limit most))
    and attempted_at < now() - interval '90 days';
  get diagnostics pruned = row_count;
  return pruned;
end
$$;
revoke execute on function ledger.prune_mismatches(integer) from public;
grant execute on function ledger.prune_mismatches(integer) to coffer_service;
