set lock_timeout = '2s';
set statement_timeout = '60s';

-- A refund can fail, and a dispute can be won, after the owner of the wallet was deleted.
insert into ledger.accounts (id, name) values (4, 'unclaimed');
