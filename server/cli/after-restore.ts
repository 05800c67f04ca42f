/** What a restored database needs before the service may use it. */
import { InvalidArgumentError } from 'commander'
import { access, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { recordAction } from '../admin/record-action.ts'
import { switchWrites } from '../admin/switches/pause-writes.ts'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { readCheckpoint } from '../ledger/verify/checkpoint.ts'
import { verify } from '../ledger/verify/verify.ts'
import { COMMAND_LINE } from './operator.ts'
import { proveAudit } from './prove-audit.ts'
import { END_ALL_SESSIONS, READ_REACH } from './restore-queries.ts'
import { print, withService, type Tools } from './with-service.ts'

export interface AfterRestoreFlags {
  checkpoint?: string
  key?: string
}

/** `archivedSegment`: the newest one that the archive had; undefined: the restore was not meant to reach it. */
export async function afterRestore(flags: AfterRestoreFlags, archivedSegment?: bigint) {
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

/** Before anything is changed: the files must be there. */
export async function readProof({ checkpoint, key }: AfterRestoreFlags) {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('Use --checkpoint and --key together.')
  }
  if (checkpoint === undefined || key === undefined) return undefined
  await access(checkpoint)
  return { file: checkpoint, pem: await readFile(key, 'utf8') }
}

/** Prints how far the restore reaches and whether the books are correct. */
export async function checkRestored(
  databaseUrl: string,
  flags: AfterRestoreFlags,
  archivedSegment?: bigint,
) {
  const { checkpoint, key } = flags
  const proof = await readProof(flags)
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
    const threads = { databaseUrl, count: availableParallelism() }
    const { wallets, operations, fault } = await verify(
      client,
      proof ? { threads, checkpoint: readCheckpoint(proof.file, proof.pem) } : { threads },
    )
    const walked = `${wallets} wallets, ${operations} operations`
    if (fault === undefined) print(`The books are sound: ${walked}.`)
    else {
      print(`The books are NOT sound. First bad row (after ${walked}):\n  ${fault}`)
      process.exitCode = 1
    }
    await proveAudit(client, { ...(checkpoint && { checkpoint }), ...(key && { key }) })
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
