/** What a restored database needs before the service may use it. */
import pg from 'pg'
import { recordAction } from '../admin/record-action.ts'
import { switchWrites } from '../admin/switches/pause-writes.ts'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { COMMAND_LINE } from './operator.ts'
import { proveBooks, readProof, type ProofFlags } from './prove-books.ts'
import { END_ALL_SESSIONS, READ_REACH } from './restore-queries.ts'
import { print, withService, type Tools } from './with-service.ts'

/** `archivedSegment`: the newest one that the archive had; undefined: the restore was not meant to reach it. */
export async function afterRestore(flags: ProofFlags, archivedSegment?: bigint) {
  await readProof(flags)
  await withService(async (tools) => {
    await pause(tools)
    await endSessions(tools)
    await checkRestored(tools.config.databaseUrl, flags, archivedSegment)
  })
  print(`
Writes are paused and everybody is logged out. Before you resume writes:
  1. Repeat what the restore has undone: revoked secrets, deactivated apps and operators, ended links, erased people.
  2. coffer reconcile --from <day>: compares the card processor with the books. --credit-missing credits paid top-ups.
  3. Move checkpoints from after that time out of /var/lib/coffer/checkpoints, then make a new one and a full backup:
     systemctl start coffer-check@checkpoint coffer-backup@full
  4. Tell the developers of the client apps the time of the last operation: they send everything since then again.
  5. coffer resume`)
}

async function pause(tools: Tools) {
  const request = { by: COMMAND_LINE.actor, reason: 'The database was restored from a backup.' }
  await switchWrites(tools, request, (tx, action) => recordAction(tx, COMMAND_LINE, action))
}

/** Prints how far the restore reaches and whether the books are correct. */
export async function checkRestored(
  databaseUrl: string,
  flags: ProofFlags,
  archivedSegment?: bigint,
) {
  const client = new pg.Client(clientConfig(databaseUrl))
  await client.connect()
  try {
    const reach = await one(client, READ_REACH)
    const show = (time: Date | null | undefined) => time?.toISOString() ?? 'none'
    print(`Last replayed transaction: ${show(reach?.replayedUntil)}`)
    print(`Newest operation:          ${show(reach?.newestOperation)}`)
    const segment = reach?.segment ?? undefined
    if (archivedSegment !== undefined && segment !== undefined && segment < archivedSegment) {
      print(
        `The archive has ${archivedSegment - segment} later WAL segments that were not replayed: one in between is missing or damaged.
If another repository or the old pg_wal folder has it, restore again with it.`,
      )
      process.exitCode = 1
    }
    await proveBooks(client, flags, { databaseUrl })
  } finally {
    await client.end()
  }
}

async function endSessions({ db }: Tools) {
  await inTransaction(db, async (tx) => {
    for (const statement of END_ALL_SESSIONS) await run(tx, statement)
    await recordAction(tx, COMMAND_LINE, {
      action: 'restore.end_sessions',
      subject: 'all sessions',
    })
  })
}
