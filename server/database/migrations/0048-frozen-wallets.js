/** For the to-do line of the admin overview. The previous version does not use the indexes. */
const INDEXES = {
  'ledger.wallets_frozen': 'ledger.wallets (id) where not is_active and closed_at is null',
  'directory.disputes_unanswered':
    "directory.disputes (respond_by) where status like '%needs_response'",
}

/** An index on a table that debits write to must be created concurrently, which is not possible in a transaction. */
export function up(pgm) {
  pgm.noTransaction()
  pgm.sql("set lock_timeout = '5s'")
  for (const [name, content] of Object.entries(INDEXES)) {
    // An attempt that failed leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${name}`)
    pgm.sql(`create index concurrently ${name.split('.')[1]} on ${content}`)
  }
  pgm.sql('reset lock_timeout')
}
