set lock_timeout = '2s';
set statement_timeout = '60s';

-- How often a payment was declined. A constant default, so no row is rewritten.
alter table directory.topups add column failures bigint not null default 0;
alter table directory.topups add column failed_at timestamptz;
comment on column directory.topups.failures is 'Declined cards and failed 3-D Secure checks. Each event of the processor counts once.';
comment on column directory.topups.failed_at is 'When the service was notified of the last one.';
