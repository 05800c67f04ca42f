set lock_timeout = '2s';
set statement_timeout = '60s';

-- A person can add money at /account, where no client app is involved. Changes only the catalog: no row is read. The
-- previous version does not read the column when it credits, refunds or reconciles a top-up; its list for operators
-- lacks those without an app.
-- squawk-ignore ban-drop-not-null
alter table directory.topups alter column client_app_id drop not null;
comment on column directory.topups.client_app_id is 'The client app in whose widget the top-up was started; null: at /account.';
