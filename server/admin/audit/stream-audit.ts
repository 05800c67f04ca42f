/**
 * Appends the audit log to AUDIT_LOG_FILE, one line of JSON per entry, in the order of the hash chain. A line carries the
 * number and the hash of its entry, so the receiver can prove that it has every entry. The position is saved after the
 * lines are on the disk: after a crash, or if another process takes over meanwhile, the last portion is written again.
 */
import { open } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import type { Lease } from '../../database/leases.ts'
import { many, one, run, type Database } from '../../database/statement.ts'
import { readChain, readTask, saveTask, type ChainHead, type ChainRow } from './chain-queries.ts'
import type { ChainedEntry } from './hash-entry.ts'

const PORTION = 500

type StreamTools = Pick<Context, 'backgroundDb' | 'log' | 'metrics'>

/** Returns whether there may be more to write. */
export async function streamPortion(
  { backgroundDb: db, log, metrics }: StreamTools,
  file: string,
  lease: Lease,
): Promise<boolean> {
  const head = (await one(db, readTask('stream'))) ?? null
  let rows = head && (await readAfter(db, head))
  if (rows === undefined) {
    log.error(
      { seq: Number(head?.seq) },
      'the audit log no longer contains the last entry of AUDIT_LOG_FILE, so all entries are written again: run coffer verify',
    )
  }
  rows ??= await many(db, readChain(1n, PORTION))
  const last = rows.at(-1)
  // Until the lines are written, the lag is the age of the first one.
  metrics.setAuditFileLag(ageOf(rows[0]))
  if (last === undefined) return false
  await appendLines(file, rows.map(toLine))
  await lease.inTransaction((tx) => run(tx, saveTask('stream', last)))
  metrics.setAuditFileLag(0)
  return rows.length === PORTION
}

/** undefined: the chain has no such entry. */
async function readAfter(db: Database, head: ChainHead): Promise<ChainRow[] | undefined> {
  const [known, ...rows] = await many(db, readChain(head.seq, PORTION + 1))
  return known?.seq === head.seq && known.hash.equals(head.hash) ? rows : undefined
}

function ageOf(row: ChainRow | undefined): number {
  const atMicros = row?.entry?.atMicros ?? null
  return atMicros === null ? 0 : Math.max(0, Date.now() / 1000 - Number(atMicros) / 1e6)
}

/** All fields of the hash. If the entry is missing in the database, only those of the chain. */
function toLine({ seq, hash, entryId, entry }: ChainRow): string {
  const row = { seq: Number(seq), id: String(entryId) }
  return JSON.stringify({ ...row, ...(entry && toFields(entry)), hash: hash.toString('hex') })
}

function toFields(entry: ChainedEntry) {
  const { atMicros, actor, actorId, address, action, subject, before, after } = entry
  const at = atMicros === null ? null : showMicros(atMicros)
  const by = { actor, actorId: actorId === null ? null : String(actorId), address }
  return { at, ...by, action, subject, before, after }
}

/** As toISOString, with six decimals. */
function showMicros(micros: bigint): string {
  const decimals = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - decimals) / 1000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(decimals).padStart(6, '0')}Z`
}

/** Opens the file each time, so that a log shipper can move it away at any moment. */
async function appendLines(file: string, lines: string[]): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    const stat = await handle.stat()
    // After a crash the file may end in the middle of a line; that entry is written again, as a line of its own.
    const isCut = stat.isFile() && stat.size > 0 && !(await endsWithNewline(file, stat.size))
    await handle.writeFile(`${isCut ? '\n' : ''}${lines.join('\n')}\n`)
    // A pipe such as /dev/stdout cannot be synced.
    if (stat.isFile()) await handle.sync()
  } finally {
    await handle.close()
  }
}

async function endsWithNewline(file: string, size: number): Promise<boolean> {
  const reader = await open(file, 'r')
  try {
    const { buffer } = await reader.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer.toString() === '\n'
  } finally {
    await reader.close()
  }
}
