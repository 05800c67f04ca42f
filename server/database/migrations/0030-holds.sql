set lock_timeout = '2s';
set statement_timeout = '60s';

-- A hold reserves money of a wallet: it moves from balance to held. A capture pays it to the client app; a release or
-- the expiry returns it to the balance.
alter type ledger.kind add value if not exists 'hold' after 'debit_refund';
alter type ledger.kind add value if not exists 'capture' after 'hold';
alter type ledger.kind add value if not exists 'release' after 'capture';
alter type ledger.kind add value if not exists 'expiry' after 'release';
alter type ledger.refusal add value if not exists 'CAPTURE_EXCEEDS_HOLD' after 'WALLET_CLOSED';
alter type ledger.refusal add value if not exists 'HOLD_EXPIRED' after 'CAPTURE_EXCEEDS_HOLD';
alter type ledger.refusal add value if not exists 'HOLD_CLOSED' after 'HOLD_EXPIRED';

create table ledger.holds (
  digest uuid primary key,
  wallet_id bigint not null,
  account bigint not null,
  amount bigint not null,
  captured bigint not null,
  remaining bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_by ledger.kind,
  reference_type text not null,
  reference_id text not null,
  check (captured >= 0 and remaining >= 0 and amount > 0 and captured + remaining <= amount),
  check ((remaining = 0) = (closed_by is not null))
);
comment on table ledger.holds is 'One row per hold. Rows are added and updated under the lock of the wallet.';
comment on column ledger.holds.digest is 'The digest of the hold.';
comment on column ledger.holds.account is 'The ledger account of the client app that holds the money.';
comment on column ledger.holds.captured is 'How much was paid to the client app.';
comment on column ledger.holds.remaining is 'How much is still held. wallets.held is the sum of the holds of the wallet.';
comment on column ledger.holds.closed_by is 'What ended the hold: capture, release or expiry; null: it is open.';
create index holds_by_wallet on ledger.holds (wallet_id, expires_at) where remaining > 0;
create index holds_by_expiry on ledger.holds (expires_at) where remaining > 0;
create index holds_by_account on ledger.holds (account, created_at, digest);
create index holds_by_user on ledger.holds (wallet_id, account, created_at, digest);
create index open_holds_by_account on ledger.holds (account, created_at, digest) where remaining > 0;
grant select, insert, update (captured, remaining, closed_by) on ledger.holds to coffer_service;

-- The captures, releases and expiries of each hold, as ledger.refunds for debits.
create table ledger.hold_changes (
  hold uuid not null,
  remaining bigint not null,
  change uuid not null unique,
  wallet_id bigint not null,
  primary key (hold, remaining),
  check (remaining >= 0)
);
comment on table ledger.hold_changes is 'Rows are added under the lock of the wallet. The row with the lowest remaining is the last change of its hold.';
comment on column ledger.hold_changes.hold is 'The digest of the hold.';
comment on column ledger.hold_changes.remaining is 'How much of the hold is still held after this change.';
comment on column ledger.hold_changes.change is 'The digest of the capture, release or expiry.';
grant select, insert on ledger.hold_changes to coffer_service;

-- The previous version cannot read held amounts. An installation that has operations writes none until the operator
-- confirms that every process runs this version. The table has one row.
alter table ledger.chain drop constraint chain_version_check;
-- squawk-ignore constraint-missing-not-valid
alter table ledger.chain add constraint chain_version_check check (version in (1, 2, 3));
comment on column ledger.chain.version is 'What may be written. 2: refunds, whose hashes have version 2. 3: also holds.';
update ledger.chain set version = 3 where version = 2 and not exists (select from ledger.operation_keys);

alter table ledger.archived_heads add column held bigint not null default 0;
alter table ledger.archived_sums add column held_change bigint not null default 0;
alter table books.days add column held_change bigint not null default 0;
alter table books.hours add column held_change bigint not null default 0;
alter table books.totals add column held_change bigint not null default 0;
comment on column books.hours.amount is 'As in ledger.operations: the account changes by debt_change - amount - held_change.';

-- Debits wait while these locks are held or requested, so each attempt is short. No row is rewritten or read.
do $$
declare
  detached name;
begin
  set local lock_timeout = '100ms';
  for attempt in 1..100 loop
    begin
      alter table ledger.operations add column held_change bigint, add column held_after bigint;
      alter table ledger.wallets add column held bigint not null default 0, add column next_expiry timestamptz,
        add constraint wallets_held_check check (held >= 0) not valid;
      -- Archived months whose table still exists.
      for detached in
        select relname from pg_class c
        where relnamespace = 'ledger'::regnamespace and relkind = 'r' and relname ~ '^operations_[0-9]{4}_[0-9]{2}$'
          and not exists (select from pg_inherits where inhrelid = c.oid)
      loop
        execute format('alter table ledger.%I add column held_change bigint, add column held_after bigint', detached);
      end loop;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.3);
    end;
  end loop;
  raise exception 'ledger.operations or ledger.wallets is locked by another transaction, such as a long verify or backup. Run the migration again when it has ended.';
end
$$;
comment on column ledger.operations.amount is 'Signed change of the balance, in minor units. The counter account changes by debt_change - amount - held_change.';
comment on column ledger.operations.target is 'A refund: the digest of the debit or capture. A capture, release or expiry: the digest of the hold.';
comment on column ledger.operations.held_change is 'Signed change of the held amount; null stands for 0.';
comment on column ledger.operations.held_after is 'How much is held after it; null stands for 0.';
comment on column ledger.wallets.held is 'What client apps hold; it is not part of the balance.';
comment on column ledger.wallets.next_expiry is 'When the first open hold expires; null: there is none.';
comment on column ledger.operation_keys.held_after is 'Version 2. Hold, capture, release, expiry: how much of the hold is still held.';
comment on column ledger.operation_keys.released is 'Version 2. Capture, release, expiry: how much went back to the balance or paid debt.';
grant update (held, next_expiry) on ledger.wallets to coffer_service;
