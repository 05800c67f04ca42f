set lock_timeout = '5s';
set statement_timeout = '60s';

-- The currency of all amounts. They are integers of its minor unit, so 3800 is 38.00 USD or 3800 JPY. The first start
-- of the service records CURRENCY here; afterwards a process with another CURRENCY refuses to start.
create table ledger.currency (
  only_row boolean primary key default true check (only_row),
  code text not null check (code ~ '^[A-Z]{3}$')
);
grant select, insert on ledger.currency to coffer_service;
