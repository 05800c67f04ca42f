set lock_timeout = '2s';
set statement_timeout = '60s';

-- A refund returns money of a debit to the wallet. (The kind 'refund' is money that goes back to a card.)
alter type ledger.kind add value if not exists 'debit_refund' after 'correction_out';
alter type ledger.refusal add value if not exists 'REFUND_EXCEEDS_DEBIT' after 'BALANCE_LIMIT';
alter type ledger.refusal add value if not exists 'WALLET_CLOSED' after 'REFUND_EXCEEDS_DEBIT';

-- How much of each debit is refunded: one row per refund, written under the wallet's lock, never changed.
create table ledger.refunds (
  debit uuid not null,
  refunded bigint not null,
  refund uuid not null unique,
  wallet_id bigint not null,
  debited bigint not null,
  primary key (debit, refunded),
  check (refunded > 0 and refunded <= debited)
);
comment on table ledger.refunds is 'Rows are added under the lock of the wallet. The row with the highest refunded has the total of its debit.';
comment on column ledger.refunds.debit is 'The digest of the debit.';
comment on column ledger.refunds.refunded is 'How much of the debit is refunded, including this refund.';
comment on column ledger.refunds.refund is 'The digest of the refund.';
comment on column ledger.refunds.debited is 'The amount of the debit.';
grant select, insert on ledger.refunds to coffer_service;

-- The previous version cannot read the hashes of refunds. An installation that has operations writes none until the
-- operator confirms that every process runs this version.
create table ledger.chain (
  only_row boolean primary key default true check (only_row),
  version bigint not null check (version in (1, 2))
);
comment on column ledger.chain.version is 'The newest version of hashes that may be written. 2: refunds.';
grant select, update (version) on ledger.chain to coffer_service;
insert into ledger.chain (version)
  select case when exists (select from ledger.operation_keys) then 1 else 2 end;

-- Debits wait while these locks are held or requested, so each attempt is short. No row is rewritten.
do $$
declare
  detached name;
begin
  set local lock_timeout = '100ms';
  for attempt in 1..100 loop
    begin
      alter table ledger.operations add column target uuid;
      alter table ledger.wallets add column closed_at timestamptz;
      -- Archived months whose table still exists.
      for detached in
        select relname from pg_class c
        where relnamespace = 'ledger'::regnamespace and relkind = 'r' and relname ~ '^operations_[0-9]{4}_[0-9]{2}$'
          and not exists (select from pg_inherits where inhrelid = c.oid)
      loop
        execute format('alter table ledger.%I add column target uuid', detached);
      end loop;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.3);
    end;
  end loop;
  raise exception 'ledger.operations or ledger.wallets is locked by another transaction, such as a long verify or backup. Run the migration again when it has ended.';
end
$$;
comment on column ledger.operations.target is 'A refund: the digest of the debit.';
comment on column ledger.wallets.closed_at is 'When the wallet was closed for good, because its owner was deleted. Only an empty wallet is closed.';
grant update (closed_at) on ledger.wallets to coffer_service;
