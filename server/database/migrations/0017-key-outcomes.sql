set lock_timeout = '2s';
set statement_timeout = '60s';

-- A key carries the outcome of its pair, so that a replay needs no operation: the operation's month may have been
-- archived. Columns are nullable and without default, so no row is rewritten. Most of them are for kinds of operations
-- that do not exist yet: keys are kept forever, and a null costs no space.
alter table ledger.operation_keys add column balance_after bigint;
-- squawk-ignore prefer-bigint-over-smallint
alter table ledger.operation_keys add column outcome_version smallint;
alter table ledger.operation_keys
  add column target uuid,
  add column refundable bigint,
  add column held_after bigint,
  add column released bigint,
  add column expires_at timestamptz,
  add column is_final boolean,
  add column is_amount_omitted boolean,
  add column is_balance_hidden boolean;
comment on column ledger.operation_keys.kind is 'null: the key was written without its outcome, by a version before this column was used for posted operations.';
comment on column ledger.operation_keys.amount is 'The amount that was requested; if none was, the amount that was moved.';
comment on column ledger.operation_keys.balance_after is 'Posted: the balance right after the operation.';
comment on column ledger.operation_keys.outcome_version is 'null stands for 1: kind, amount, refusal and balance_after are the whole outcome.';
comment on column ledger.operation_keys.target is 'Version 2. The digest of the debit that is refunded, or of the hold that is captured or released.';
comment on column ledger.operation_keys.refundable is 'Version 2. Refund: how much of the debit is left.';
comment on column ledger.operation_keys.held_after is 'Version 2. Hold, capture, release: how much is held right after it.';
comment on column ledger.operation_keys.released is 'Version 2. Capture: how much went back to the balance.';
comment on column ledger.operation_keys.expires_at is 'Version 2. Hold: also if it was refused, because it shows for how long it was requested.';
comment on column ledger.operation_keys.is_final is 'Version 2. Capture: whether it ends the hold.';
comment on column ledger.operation_keys.is_amount_omitted is 'Version 2. Whether the request had no amount; null stands for false.';
comment on column ledger.operation_keys.is_balance_hidden is 'Version 2. Whether the response had no balance; null stands for false.';

-- Every row satisfies the constraint that this one replaces, which was stricter.
alter table ledger.operation_keys drop constraint operation_keys_check;
alter table ledger.operation_keys add constraint operation_keys_outcome_check check (
  case
    when kind is null then refusal is null and amount is null and balance_after is null
    when refusal is null then amount is not null and balance_after is not null
    else balance_after is null and (amount is not null or is_amount_omitted is true)
  end) not valid;

-- Completes keys that have no outcome, from their operations. It never changes an outcome. A key whose operation is
-- missing stays as it is.
create function ledger.fill_outcomes(digests uuid[]) returns bigint language plpgsql security definer
set search_path = pg_catalog as $$
declare
  filled bigint;
begin
  update ledger.operation_keys k
  set kind = o.kind, amount = abs(o.amount - coalesce(o.debt_change, 0)), balance_after = o.balance_after
  from ledger.operations o
  where k.digest = any(digests) and k.kind is null
    and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at;
  get diagnostics filled = row_count;
  return filled;
end
$$;
revoke execute on function ledger.fill_outcomes(uuid[]) from public;

-- The previous version, which runs beside this one during an upgrade, writes keys without an outcome. They are
-- completed at the end of the statement that writes them, so only keys from before this migration remain.
create function ledger.fill_new_outcome() returns trigger language plpgsql security definer
set search_path = pg_catalog as $$
begin
  perform ledger.fill_outcomes(array[new.digest]);
  return null;
end
$$;
revoke execute on function ledger.fill_new_outcome() from public;
create trigger fill_new_outcome after insert on ledger.operation_keys
  for each row when (new.kind is null) execute function ledger.fill_new_outcome();

-- How far the backfill of those keys is, in the order of their digests.
create table ledger.outcome_backfill (
  only_row boolean primary key default true check (only_row),
  after_digest uuid not null default '00000000-0000-0000-0000-000000000000',
  next_at timestamptz not null default now(),
  finished_at timestamptz
);
grant select on ledger.outcome_backfill to coffer_service;
insert into ledger.outcome_backfill (finished_at)
  select case when exists (select from ledger.operation_keys) then null else now() end;

-- Completes the next keys and saves the position, in one transaction. One process at a time does it; all of them
-- together work for a fifth of the time. Returns what it did, how far the backfill is (digests are evenly distributed),
-- and when the next portion is due.
create function ledger.backfill_outcomes(most integer)
returns table (filled bigint, lost bigint, progress double precision, wait_ms double precision)
language plpgsql security definer set search_path = pg_catalog as $$
declare
  began_at timestamptz := clock_timestamp();
  state ledger.outcome_backfill;
  digests uuid[];
  unfilled uuid[];
begin
  select * into state from ledger.outcome_backfill for update skip locked;
  if not found then
    return query select 0::bigint, 0::bigint, null::double precision, 1000::double precision;
    return;
  end if;
  filled := 0;
  lost := 0;
  -- A time in the distant future comes from a clock that was set back.
  if state.finished_at is null and (state.next_at <= began_at or state.next_at > began_at + interval '1 minute') then
    select array_agg(k.digest order by k.digest), array_agg(k.digest) filter (where k.kind is null)
    into digests, unfilled
    from (
      select digest, kind from ledger.operation_keys
      where digest > state.after_digest order by digest limit most
    ) k;
    if unfilled is not null then
      filled := ledger.fill_outcomes(unfilled);
      lost := cardinality(unfilled) - filled;
    end if;
    state.after_digest := coalesce(digests[cardinality(digests)], state.after_digest);
    state.next_at := clock_timestamp() + 4 * (clock_timestamp() - began_at);
    if coalesce(cardinality(digests), 0) < most then
      state.finished_at := clock_timestamp();
    end if;
    update ledger.outcome_backfill
    set after_digest = state.after_digest, next_at = state.next_at, finished_at = state.finished_at;
  end if;
  progress := case when state.finished_at is null
    then ('x' || left(state.after_digest::text, 8))::bit(32)::bigint / 4294967296.0 else 1 end;
  wait_ms := extract(epoch from state.next_at - clock_timestamp()) * 1000;
  return next;
end
$$;
revoke execute on function ledger.backfill_outcomes(integer) from public;
grant execute on function ledger.backfill_outcomes(integer) to coffer_service;
