set lock_timeout = '2s';
set statement_timeout = '60s';

-- A failed payment is counted before its event is done: what follows from the count may fail and is tried again with the
-- event.
alter table directory.processor_events add column counted_at timestamptz;
