-- squawk-ignore-file require-lock-timeout, require-statement-timeout
-- The totals of the operations. Everything here can be computed again from ledger.operations.
create schema books;
grant usage on schema books to coffer_service;

-- The same totals three times: hours for the last day and for counting again, days for longer times, totals for what
-- is owed now. ledger.account_change says by how much they change their account. Rows are updated in place during
-- their hour or day, so each page keeps free space.
create table books.hours (
  hour timestamptz not null,
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  held_change bigint not null default 0,
  primary key (hour, account, kind)
) with (fillfactor = 70);
grant select, insert, update on books.hours to coffer_service;

create table books.days (
  -- In UTC.
  day date not null,
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  held_change bigint not null default 0,
  primary key (day, account, kind)
) with (fillfactor = 70);
create index days_by_account on books.days (account, day);
grant select, insert, update on books.days to coffer_service;

create table books.totals (
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  held_change bigint not null default 0,
  primary key (account, kind)
) with (fillfactor = 50);
grant select, insert, update on books.totals to coffer_service;

-- How far the totals reach. The mark is how far they may go next: a transaction with a number above mark_xid reads its
-- clock after mark_at, so when all transactions up to mark_xid have ended, no earlier operation can appear.
create table books.progress (
  only_row boolean primary key default true check (only_row),
  -- Every operation before this time is in the totals, and none at or after it.
  totals_up_to timestamptz not null,
  mark_at timestamptz not null,
  mark_xid xid8 not null
);
insert into books.progress (totals_up_to, mark_at, mark_xid) values (
  date_trunc('hour', now(), 'UTC') - interval '1 hour', date_trunc('milliseconds', now()), pg_current_xact_id()
);
grant select, update (totals_up_to, mark_at, mark_xid) on books.progress to coffer_service;

-- What the continuous verifier knows, and where it is.
create table books.verification (
  only_row boolean primary key default true check (only_row),
  -- When the trial balance was last correct.
  balanced_at timestamptz,
  balanced_operations bigint,
  -- When the last complete round that found no fault began.
  verified_at timestamptz,
  verified_operations bigint,
  -- The first bad row that was found, until a complete round finds none.
  fault text,
  fault_at timestamptz,
  round_began_at timestamptz,
  round_operations bigint not null default 0,
  round_fault text,
  -- Where the round continues; null: none is in progress.
  position jsonb,
  check ((fault is null) = (fault_at is null)),
  check (position is null or round_began_at is not null)
);
insert into books.verification default values;
grant select, update on books.verification to coffer_service;

-- How far the reader of new operations is. It is updated in the transaction of the jobs that it
-- runs for these operations.
create table books.reader_position (
  only_row boolean primary key default true check (only_row),
  -- Every operation before this time was read, and none at or after it.
  read_to timestamptz not null
);
insert into books.reader_position (read_to) values (now());
grant select, update (read_to) on books.reader_position to coffer_service;
