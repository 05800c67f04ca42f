set lock_timeout = '2s';
set statement_timeout = '60s';

-- Whether this database may hold money that nobody paid. It is recorded once, when the database is created
-- (coffer migrate --demo), and the service can only read it. A database that is in use does not become a demo.
create table ledger.demo (
  only_row boolean primary key default true check (only_row),
  is_demo boolean not null
);
insert into ledger.demo (is_demo)
select coalesce(current_setting('coffer.demo', true), '') = 'on'
  and not exists (select from ledger.wallets) and not exists (select from directory.client_apps);
grant select on ledger.demo to coffer_service;
