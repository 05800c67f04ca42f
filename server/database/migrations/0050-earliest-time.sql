set lock_timeout = '2s';
set statement_timeout = '60s';

-- The job that adds up operations moves it ahead and then reads what is older. The previous version ignores it.
create table ledger.clock (
  only_row boolean primary key default true check (only_row),
  not_before timestamptz not null
);
comment on table ledger.clock is 'Keeps the times of operations from going back when the clock of the server does.';
comment on column ledger.clock.not_before is 'No batch that starts now gives its operations an earlier time.';
insert into ledger.clock (not_before)
  select greatest(date_trunc('milliseconds', now()), rolled_up_to, mark_at) from books.progress;
grant select on ledger.clock to coffer_service;
grant update (not_before) on ledger.clock to coffer_service;
