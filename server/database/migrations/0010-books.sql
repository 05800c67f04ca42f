set lock_timeout = '5s';
set statement_timeout = '60s';

-- Finds the operations of a time. Operations are appended in the order of time, so the least and the greatest time
-- of every megabyte are enough: a few bytes that an insert hardly ever touches, where a B-tree would cost every
-- debit. Making it reads the table once; writes wait that long.
-- squawk-ignore require-concurrent-index-creation
create index operations_by_time on ledger.operations using brin (created_at) with (pages_per_range = 128);

-- New megabytes are read by everybody who asks for a time until they are summarized, so that is done every few
-- seconds, from the newest down to the first that is done already. The last two are left: they are still being
-- filled, and inserts into a summarized one cost more. It steps aside for vacuum, which summarizes too: below
-- deadlock_timeout, after which PostgreSQL would end the vacuum.
create function ledger.summarize_operations() returns void language plpgsql security definer
set search_path = pg_catalog set lock_timeout = '100ms' as $$
declare
  part record;
  first_block bigint;
  month date := date_trunc('month', now() at time zone 'UTC');
begin
  for part in
    select x.indexrelid::regclass as index, x.indrelid::regclass as heap
    from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
    where i.inhparent = 'ledger.operations_by_time'::regclass and x.indrelid in (
      to_regclass('ledger.operations_default'),
      to_regclass('ledger.operations_' || to_char(month - interval '1 month', 'YYYY_MM')),
      to_regclass('ledger.operations_' || to_char(month, 'YYYY_MM'))
    )
  loop
    first_block := (pg_relation_size(part.heap) / current_setting('block_size')::bigint / 128 - 3) * 128;
    while first_block >= 0 loop
      exit when brin_summarize_range(part.index, first_block) = 0;
      first_block := first_block - 128;
    end loop;
  end loop;
exception when lock_not_available then
  null;
end
$$;
revoke execute on function ledger.summarize_operations() from public;
grant execute on function ledger.summarize_operations() to coffer_service;

-- What the operations add up to. Everything here can be computed again from ledger.operations.
create schema books;
grant usage on schema books to coffer_service;

-- The same sums three times: hours for the last day and for counting again, days for longer times, totals for what
-- is owed now. Rows are updated in place while their time lasts, so some room is left on each page.
create table books.hours (
  hour timestamptz not null,
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  primary key (hour, account, kind)
) with (fillfactor = 70);
comment on column books.hours.amount is 'As in ledger.operations: the account changes by debt_change - amount.';
grant select, insert, update on books.hours to coffer_service;

create table books.days (
  day date not null,
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  primary key (day, account, kind)
) with (fillfactor = 70);
comment on column books.days.day is 'Of UTC.';
create index days_by_account on books.days (account, day);
grant select, insert, update on books.days to coffer_service;

create table books.totals (
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  primary key (account, kind)
) with (fillfactor = 50);
grant select, insert, update on books.totals to coffer_service;

-- How far the sums reach. The mark is where they may go next: a transaction with a number above mark_xid reads its
-- clock after mark_at, so when all those up to mark_xid have ended, nothing earlier can come any more.
create table books.progress (
  only_row boolean primary key default true check (only_row),
  rolled_up_to timestamptz not null,
  mark_at timestamptz not null,
  mark_xid xid8 not null,
  next_at timestamptz not null default now()
);
comment on column books.progress.rolled_up_to is 'Every operation before it is in the sums, and none from it on.';
insert into books.progress (rolled_up_to, mark_at, mark_xid)
  select date_trunc('hour', coalesce(min(created_at), now()), 'UTC') - interval '1 hour',
    date_trunc('milliseconds', now()), pg_current_xact_id()
  from ledger.operations;
grant select on books.progress to coffer_service;
grant update (rolled_up_to, mark_at, mark_xid, next_at) on books.progress to coffer_service;

-- What the running verifier knows, and where it is.
create table books.proof (
  only_row boolean primary key default true check (only_row),
  balanced_at timestamptz,
  balanced_operations bigint,
  proved_at timestamptz,
  proved_operations bigint,
  fault text,
  fault_at timestamptz,
  round_began_at timestamptz,
  round_operations bigint not null default 0,
  round_fault text,
  place jsonb,
  held_by uuid,
  held_until timestamptz not null default now(),
  check ((fault is null) = (fault_at is null)),
  check (place is null or round_began_at is not null)
);
comment on column books.proof.balanced_at is 'When wallets, accounts and operations last added up.';
comment on column books.proof.proved_at is 'When the last walk through everything that found no fault began.';
comment on column books.proof.fault is 'The first bad row that was found, until a whole walk finds none.';
comment on column books.proof.place is 'Where the walk goes on; null: it is not under way.';
comment on column books.proof.held_by is 'The process whose turn it is, until held_until.';
insert into books.proof default values;
grant select, update on books.proof to coffer_service;

-- What was answered, by the hour, over all processes.
create table admin.traffic (
  hour timestamptz not null,
  kind text not null check (kind in ('status', 'code', 'latency')),
  value text not null,
  count bigint not null,
  primary key (hour, kind, value)
) with (fillfactor = 70);
comment on column admin.traffic.value is 'Of latency: n stands for answers that took up to 2 ^ (n / 3) ms.';
grant select, insert, update, delete on admin.traffic to coffer_service;
