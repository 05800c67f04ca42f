set lock_timeout = '2s';
set statement_timeout = '60s';

-- What a client app may take from a wallet, as the wallet's owner has decided, and what it has taken. The previous
-- version does not check it and cannot read its refusals. An installation that has operations accepts no limits until
-- the operator confirms that every process runs this version.
alter type ledger.refusal add value if not exists 'SPEND_LIMIT_EXCEEDED' after 'HOLD_CLOSED';

create table ledger.spend_limits (
  wallet_id bigint not null,
  account bigint not null,
  single_max bigint,
  ends_at timestamptz,
  time_zone text not null,
  day_max bigint,
  day_starts_at timestamptz not null,
  day_ends_at timestamptz not null,
  day_spent bigint not null,
  week_max bigint,
  week_starts_at timestamptz not null,
  week_ends_at timestamptz not null,
  week_spent bigint not null,
  month_max bigint,
  month_starts_at timestamptz not null,
  month_ends_at timestamptz not null,
  month_spent bigint not null,
  primary key (wallet_id, account),
  check (single_max >= 0 and day_max >= 0 and week_max >= 0 and month_max >= 0),
  check (day_spent >= 0 and week_spent >= 0 and month_spent >= 0),
  check (day_starts_at < day_ends_at and week_starts_at < week_ends_at and month_starts_at < month_ends_at)
);
comment on table ledger.spend_limits is 'One row per wallet and client app with a limit. Rows are added, updated and deleted under the lock of the wallet.';
comment on column ledger.spend_limits.account is 'The ledger account of the client app.';
comment on column ledger.spend_limits.single_max is 'The largest debit or hold; null: no limit.';
comment on column ledger.spend_limits.ends_at is 'From then on, the app may take nothing; null: no end.';
comment on column ledger.spend_limits.time_zone is 'Determines the bounds of the next periods. A period that has started keeps its bounds.';
comment on column ledger.spend_limits.day_max is 'The most that the app may take in a day; null: no limit.';
comment on column ledger.spend_limits.day_spent is 'Debits and holds of the period, minus what was refunded or released of them within it.';
grant select, insert, update, delete on ledger.spend_limits to coffer_service;

-- The table has one row.
alter table ledger.chain drop constraint chain_version_check;
-- squawk-ignore constraint-missing-not-valid
alter table ledger.chain add constraint chain_version_check check (version in (1, 2, 3, 4));
comment on column ledger.chain.version is 'What may be written. 2: refunds, whose hashes have version 2. 3: also holds. 4: also spending limits.';
update ledger.chain set version = 4 where version = 3 and not exists (select from ledger.operation_keys);

-- Debits wait while this lock is held or requested, so each attempt is short. No row is rewritten or read.
do $$
begin
  set local lock_timeout = '100ms';
  for attempt in 1..100 loop
    begin
      alter table ledger.wallets add column has_spend_limits boolean not null default false;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.3);
    end;
  end loop;
  raise exception 'ledger.wallets is locked by another transaction, such as a long verify or backup. Run the migration again when it has ended.';
end
$$;
comment on column ledger.wallets.has_spend_limits is 'Whether ledger.spend_limits has rows of this wallet. A batch reads them only then.';
grant update (has_spend_limits) on ledger.wallets to coffer_service;

-- The same as before, and the limits: they belong to the person.
create or replace function ledger.erase_texts(wallet bigint) returns void
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from ledger.wallets where id = wallet and closed_at is not null) then
    raise exception 'Wallet % is not closed, so its texts are not erased.', wallet;
  end if;
  delete from ledger.metadata where wallet_id = wallet;
  delete from ledger.spend_limits where wallet_id = wallet;
  update ledger.wallets set has_spend_limits = false where id = wallet and has_spend_limits;
  update ledger.operations set description = null where wallet_id = wallet and description is not null;
end
$$;
comment on function ledger.erase_texts(bigint) is 'Clears the descriptions, the metadata and the spending limits of a closed wallet.';
