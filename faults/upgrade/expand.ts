/**
 * Two migrations that no version has, to test changes of tables that every debit needs: a column with a default, a
 * table, and an index that is created concurrently. Tables are locked in the order of a batch; in another order there
 * could be a deadlock, which PostgreSQL ends after a second.
 */
export const EXPAND: Record<string, string> = {
  '9998-faults-expand.sql': `set lock_timeout = '5s';
set statement_timeout = '60s';
alter table ledger.wallets add column faults_tier smallint not null default 0;
alter table ledger.operation_keys add column faults_mark smallint not null default 0;
alter table ledger.operations add column faults_note text;
create table ledger.faults_notes (wallet_id bigint primary key, note text not null default '');
grant select, insert on ledger.faults_notes to coffer_service;
`,
  // This cannot run inside a transaction, and SQL files always run in one.
  '9999-faults-index.js': `export function up(pgm) {
  pgm.noTransaction()
  pgm.sql("set lock_timeout = '5s'")
  pgm.sql('create index concurrently if not exists faults_keys_by_wallet on ledger.operation_keys (wallet_id, faults_mark)')
}
`,
}
