/**
 * Verifies the audit log: every hash of its chain, and that every entry is in the chain. Somebody who can change
 * the database can also write a new chain, or cut off its end. Only a head that is stored elsewhere shows that: the one
 * in a checkpoint, or the lines of AUDIT_LOG_FILE.
 */
import type pg from 'pg'
import { many, one, run, type Database } from '../../database/statement.ts'
import { GENESIS_HASH } from '../../ledger/digest.ts'
import { Fault } from '../../ledger/verify/check-chain.ts'
import { BEGIN_SNAPSHOT, ROLLBACK } from '../../ledger/verify/verify-queries.ts'
import { hashEntry } from './hash-entry.ts'
import {
  findHash,
  findUnchained,
  readChain,
  readTask,
  type ChainHead,
  type ChainRow,
  type UnchainedPage,
} from './chain-queries.ts'

const PAGE = 1_000
const LEAST_ID = -(2n ** 63n)
/** Longer than any transaction that writes an entry, and than a usual correction of the clock. */
const BACKDATED_MICROS = 3_600_000_000n

interface ChainState extends ChainHead {
  /** The latest time of an entry so far. */
  latestMicros: bigint
}

interface KnownHead extends ChainHead {
  /** Where the head is stored. */
  source: string
}

export interface AuditOptions {
  /** The head in a checkpoint. */
  checkpoint?: ChainHead | undefined
  /** Trust the entries up to the checkpoint and verify only newer ones. */
  isIncremental?: boolean
}

export interface AuditReport {
  entries: number
  /** Names the first bad entry; undefined if the audit log is correct. */
  fault: string | undefined
}

/** Verifies everything in one snapshot. */
export async function verifyAudit(
  client: pg.ClientBase,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const report: AuditReport = { entries: 0, fault: undefined }
  await run(client, BEGIN_SNAPSHOT)
  try {
    const pages = verifyInPages(client, options)
    for (let page = await pages.next(); !page.done; page = await pages.next()) {
      report.entries += page.value
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    report.fault = error.message
  } finally {
    await run(client, ROLLBACK)
  }
  return report
}

/** Each step verifies one page and yields its number of entries. Returns the head. Throws a Fault at the first bad entry. */
export async function* verifyInPages(
  db: Database,
  { checkpoint, isIncremental = false }: AuditOptions = {},
): AsyncGenerator<number, ChainHead> {
  await requireKnownHeads(db, checkpoint)
  const start = isIncremental ? checkpoint : undefined
  let state: ChainState = { seq: 0n, hash: GENESIS_HASH, latestMicros: 0n, ...start }
  for (let isLast = false; !isLast;) {
    const rows = await many(db, readChain(state.seq + 1n, PAGE))
    for (const row of rows) state = checkRow(state, row)
    isLast = rows.length < PAGE
    yield rows.length
  }
  yield* requireChained(db)
  return { seq: state.seq, hash: state.hash }
}

/** What was seen before must still be in the chain. */
async function requireKnownHeads(db: Database, checkpoint: ChainHead | undefined) {
  const stored = [
    { source: 'the checkpoint', head: checkpoint },
    { source: 'an earlier verification', head: await one(db, readTask('verify')) },
    { source: 'the audit log file', head: await one(db, readTask('stream')) },
  ]
  for (const { source, head } of stored) if (head) await requireHead(db, { source, ...head })
}

async function requireHead(db: Database, { source, seq, hash }: KnownHead) {
  const found = seq === 0n ? GENESIS_HASH : await one(db, findHash(seq))
  if (found === undefined) {
    throw new Fault(`audit log, seq ${seq}: it is missing, but ${source} has it`)
  }
  if (!found.equals(hash)) {
    throw new Fault(`audit log, seq ${seq}: its hash is not the one in ${source}`)
  }
}

function checkRow(state: ChainState, { seq, entryId, hash, entry }: ChainRow): ChainState {
  if (seq !== state.seq + 1n) throw new Fault(`audit log, seq ${state.seq + 1n}: it is missing`)
  const name = `audit entry ${entryId} (seq ${seq})`
  if (entry === undefined) throw new Fault(`${name}: the entry is missing`)
  if (!hashEntry(state.hash, entry).equals(hash)) {
    throw new Fault(`${name}: the entry, its hash or its position in the chain was changed`)
  }
  const atMicros = entry.atMicros ?? 0n
  if (atMicros < state.latestMicros - BACKDATED_MICROS) {
    throw new Fault(`${name}: its time is more than an hour before that of an earlier entry`)
  }
  const latestMicros = atMicros > state.latestMicros ? atMicros : state.latestMicros
  return { seq, hash, latestMicros }
}

async function* requireChained(db: Database): AsyncGenerator<number, void> {
  for (let after: bigint | null = LEAST_ID; after !== null;) {
    const page: UnchainedPage | undefined = await one(db, findUnchained(after, PAGE))
    if (page === undefined) throw new Error('a page of the audit log has no row')
    if (page.unchainedId !== null) {
      throw new Fault(`audit entry ${page.unchainedId}: the entry is not in the hash chain`)
    }
    after = page.lastId
    yield 0
  }
}
