import type { PlantedBug } from './planted-bug.ts'

const TAMPER = 'server/admin/audit/tamper-with-audit.own.test.ts'
const STREAM = 'server/admin/audit/stream-audit.own.test.ts'
const CHAIN = 'server/admin/audit/chain-audit.test.ts'

/** The audit log: its entries, its hash chain and its file. */
export const AUDIT_BUGS: readonly PlantedBug[] = [
  {
    name: 'the entry about a pause is not in the transaction of the pause',
    file: 'server/admin/switches/pause-writes.ts',
    find: 'await ledger.setPause(pause, tx)',
    replace: 'await ledger.setPause(pause)',
    test: 'server/admin/audit/entry-first.test.ts',
    title: '500 changes nothing if the entry is refused when it is inserted',
  },
  {
    name: 'the entry about a frozen wallet is not in the transaction of the change',
    file: 'server/admin/people/freeze-wallet.ts',
    find: `await ledger.setWalletActive(person.walletId, !isFrozen, tx)`,
    replace: `await ledger.setWalletActive(person.walletId, !isFrozen)`,
    test: 'server/admin/audit/entry-first.test.ts',
    title: 'changes nothing',
  },
  {
    name: 'a command rotates a secret without an audit entry',
    file: 'server/cli/client-secret.ts',
    find: `record(tx, 'client_app.rotate', clientId, { overlap, restriction }),`,
    replace: `Promise.resolve(void tx),`,
    test: 'server/cli/audit.test.ts',
    title: 'client_app.rotate changes nothing if its audit entry cannot be written',
  },
  {
    name: 'the hash of an audit entry does not cover the address',
    file: 'server/database/migrations/0006-admin.sql',
    find: 'entry.actor_id::text, entry.address, entry.action',
    replace: `entry.actor_id::text, '::1', entry.action`,
    test: TAMPER,
    title: 'finds no fault if nothing was changed',
  },
  {
    name: 'the verification does not compare the hashes of the audit log',
    file: 'server/admin/audit/verify-audit.ts',
    find: 'if (!hashEntry(place.hash, entry).equals(hash)) {',
    replace: 'if (hashEntry(place.hash, entry).length !== hash.length) {',
    test: TAMPER,
    title: 'swaps the entries of two hashes',
  },
  {
    name: 'the verification does not compare the audit log with the checkpoint',
    file: 'server/admin/audit/verify-audit.ts',
    find: `{ source: 'the checkpoint', head: checkpoint },`,
    replace: `{ source: 'the checkpoint', head: checkpoint && null },`,
    test: TAMPER,
    title: 'rewrites an old entry and all hashes after it',
  },
  {
    name: 'the verification ignores audit entries that are not in the chain',
    file: 'server/admin/audit/verify-audit.ts',
    find: '  yield* requireChained(db)\n',
    replace: '  void requireChained\n',
    test: TAMPER,
    title: 'adds an entry that is not in the chain',
  },
  {
    name: 'the verification accepts a backdated audit entry',
    file: 'server/admin/audit/verify-audit.ts',
    find: 'const BACKDATED_MICROS = 3_600_000_000n',
    replace: 'const BACKDATED_MICROS = 3_600_000_000_000n',
    test: TAMPER,
    title: 'adds a backdated entry to the end of the chain',
  },
  {
    name: 'the service may set the time of an audit entry',
    file: 'server/database/migrations/0006-admin.sql',
    find: 'insert (actor,',
    replace: 'insert (at, actor,',
    test: TAMPER,
    title: 'insert into admin.audit (at, actor, action)',
  },
  {
    name: 'an open transaction makes the other writers of the audit log wait',
    file: 'server/database/migrations/0006-admin.sql',
    find: 'deferrable initially deferred',
    replace: 'deferrable initially immediate',
    test: CHAIN,
    title: 'an open transaction makes nobody wait',
  },
  {
    name: 'concurrent writers read the same end of the hash chain',
    file: 'server/database/migrations/0006-admin.sql',
    find: '  perform pg_advisory_xact_lock(7241865325823967);\n',
    replace: '',
    test: CHAIN,
    title: 'contains the entries of concurrent transactions',
  },
  {
    name: 'the position in AUDIT_LOG_FILE is saved before the lines are written',
    file: 'server/admin/audit/stream-audit.ts',
    find: `  await appendLines(file, rows.map(toLine))
  await lease.inTransaction((tx) => run(tx, saveTask('stream', last)))`,
    replace: `  await lease.inTransaction((tx) => run(tx, saveTask('stream', last)))
  await appendLines(file, rows.map(toLine))`,
    test: STREAM,
    title: 'waits if the file cannot be written, and the lag grows',
  },
  {
    name: 'a line of AUDIT_LOG_FILE is appended to one that was cut off',
    file: 'server/admin/audit/stream-audit.ts',
    find: `\${isCut ? '\\n' : ''}`,
    replace: `\${isCut ? '' : ''}`,
    test: STREAM,
    title: 'is written again after a crash before its position is saved, on a new line',
  },
  {
    name: 'two processes write AUDIT_LOG_FILE',
    file: 'server/database/leases.ts',
    find: 'where l.holder = excluded.holder or',
    replace: 'where true or',
    test: STREAM,
    title: 'is written by one process at a time',
  },
]
