/** Runs one batch: a short database transaction that locks, reads, decides, writes and commits in two round trips. */
import pg from 'pg'
import { decide } from './decide.ts'
import type { BatchInput, BatchOutput, DigestedRequest } from './decide-types.ts'
import {
  findDecisions,
  readRefunded,
  toDecision,
  type DecisionRow,
  type RefundedRow,
} from './decision-queries.ts'
import { readDue, readHolds, toHold, writeHolds, type HoldRow } from './hold-queries.ts'
import * as query from '../queries.ts'
import { keyOf } from './decide-spend.ts'
import { readSpendLimits, toSpendLimit, writeSpends, type SpendLimitRow } from './spend-queries.ts'
import { REQUIRE_STANDBY } from './standby-queries.ts'
import { writeBatch, writeMetadata, writeRefunds } from './write-queries.ts'
import type { Decision, Hold, Outcome, WalletState } from '../types.ts'

/**
 * COMMIT was sent and its result is unknown. Running the batch again shows whether it was committed: every operation is
 * idempotent.
 */
export class CommitInDoubt extends Error {}

export interface LaneClient extends pg.Client {
  /**
   * Set by any message from the server, such as the warning that a commit stopped waiting for its standby. The severity
   * and the text are in the server's language, so they are not compared.
   */
  warned?: boolean
  /** Nothing is committed unless a synchronous standby is attached. */
  requiresStandby?: boolean
}

/**
 * The request was not executed: another transaction holds a lock that it needs, or writes are paused and its pair has
 * no decision yet.
 */
export interface Blocked {
  blockedBy: 'wallet' | 'account' | 'pause'
}

export interface BatchOptions {
  /**
   * `skip_locked` skips requests whose wallet or account is locked; `wait` waits for the locks as long as the
   * connection's lock_timeout allows.
   */
  mode: 'skip_locked' | 'wait'
  /**
   * If false, a batch of requests that refer to no earlier one does not look for earlier decisions. A pair that has one
   * violates the primary key of the keys, and the batch must be run again.
   */
  looksUp?: boolean
  /**
   * Called when the locks are held, unless the batch looked up decisions. Returns requests that arrived meanwhile, for
   * wallets and accounts of the batch, that refer to no earlier request.
   */
  join?: () => readonly DigestedRequest[]
}

const NO_ROWS = Promise.resolve({ rows: [] as never[] })

/** A refund and a change of a hold need the decision about the request that they refer to. */
export function refersToEarlier({ refund, holdChange }: DigestedRequest): boolean {
  return refund !== undefined || holdChange !== undefined
}

/** Returns one outcome per request, those that joined last. */
export async function runBatch(
  client: LaneClient,
  first: readonly DigestedRequest[],
  options: BatchOptions,
): Promise<(Outcome | Blocked)[]> {
  const locked = await lockAndRead(client, first, options)
  const output = decide(locked)
  await commit(client, listWrites(output, locked))
  const outcomes = output.outcomes.values()
  return locked.blocked.map((each) => each ?? (outcomes.next().value as Outcome))
}

interface LockedBatch extends BatchInput {
  /** One per request of the batch; undefined for those in `requests`, which can be decided. */
  blocked: (Blocked | undefined)[]
  /** Where the rows of the wallets are. */
  places: ReadonlyMap<bigint, string>
}

/** Begins the transaction, locks what the requests need and reads what they are decided with. */
async function lockAndRead(
  client: LaneClient,
  first: readonly DigestedRequest[],
  { mode, looksUp: mustLookUp = true, join = () => [] }: BatchOptions,
): Promise<LockedBatch> {
  const looksUp = mustLookUp || first.some(refersToEarlier)
  const walletIds = [...new Set(first.map((each) => each.walletId))]
  const accounts = [...new Set(first.map((each) => each.counterAccount))]
  const debits = [...new Set(first.flatMap((each) => each.refund?.target ?? []))]
  const targets = [...new Set(first.flatMap((each) => each.holdChange?.target ?? []))]
  const digests = [...first.map((each) => each.digest), ...debits, ...targets]
  const [, lockedWallets, clock, limited, found, refunded, holds] = await all(
    client.query('begin'),
    client.query<query.LockedWalletRow>(query.lockWallets(walletIds, mode)),
    client.query<query.ClockRow>(query.READ_CLOCK),
    client.query<query.RunningBalanceRow>(query.lockRunningBalances(accounts, mode)),
    looksUp ? client.query<DecisionRow>(findDecisions(digests)) : NO_ROWS,
    debits.length > 0 ? client.query<RefundedRow>(readRefunded(debits)) : NO_ROWS,
    targets.length > 0 ? client.query<HoldRow>(readHolds(targets)) : NO_ROWS,
  )
  const requests = looksUp ? first : [...first, ...join()]
  const wallets = new Map(lockedWallets.rows.map((row) => [row.id, query.toWallet(row)]))
  if (mode === 'wait' && wallets.size < walletIds.length) {
    throw new Error('A request names a wallet that does not exist.')
  }
  const lockedElsewhere = new Set(
    limited.rows.filter((row) => row.balance === null).map((row) => Number(row.id)),
  )
  const isPaused = clock.rows[0]?.is_paused === true
  const rows = isPaused && !looksUp ? await lookUp(client, requests) : found.rows
  const decided = new Map(rows.map(toDecision).map((each) => [each.digest, each]))
  const blocked = requests.map(({ walletId, counterAccount, digest }): Blocked | undefined => {
    // Another transaction that has locked the wallet may be deciding this pair; only our own lock rules this out.
    if (!wallets.has(walletId)) return { blockedBy: 'wallet' }
    if (isPaused && !decided.has(digest)) return { blockedBy: 'pause' }
    return lockedElsewhere.has(counterAccount) ? { blockedBy: 'account' } : undefined
  })
  const nowMs = Number(clock.rows[0]?.now_ms)
  const refundedDebits = debits.flatMap((digest) => decided.get(digest) ?? [])
  const [due, spending] = await all(
    findDue(client, wallets, nowMs),
    findLimits(client, wallets, refundedDebits),
  )
  return {
    wallets,
    decided,
    runningBalances: new Map(
      limited.rows.map((row) => [Number(row.id), query.toRunningBalance(row)]),
    ),
    refunded: new Map(refunded.rows.map((row) => [row.debit.replaceAll('-', ''), row.refunded])),
    holds: new Map(
      [...holds.rows.map(toHold), ...due, ...spending.holds].map((hold) => [hold.digest, hold]),
    ),
    limits: spending.limits,
    ...(due.length > 0 && { due }),
    requests: requests.filter((_, index) => blocked[index] === undefined),
    nowMs,
    blocked,
    places: new Map(lockedWallets.rows.map((row) => [row.id, row.place])),
  }
}

/** While writes are paused, repeats of decided requests still get their decision. */
async function lookUp(
  client: LaneClient,
  requests: readonly DigestedRequest[],
): Promise<DecisionRow[]> {
  const digests = requests.map((each) => each.digest)
  return (await client.query<DecisionRow>(findDecisions(digests))).rows
}

/** The statements that write what was decided. */
function listWrites(
  output: BatchOutput,
  { requests, wallets, places, nowMs }: LockedBatch,
): pg.QueryConfig[] {
  // The texts of a closed wallet are erased, and no new ones are stored.
  const annotated = requests.filter(({ metadata, walletId }, index) => {
    const outcome = output.outcomes[index]
    return (
      metadata !== undefined &&
      outcome?.replayed === false &&
      outcome.decision.refusal !== 'OPERATION_NOT_FOUND' &&
      wallets.get(walletId)?.isClosed === false
    )
  })
  const writes: pg.QueryConfig[] = []
  if (output.decisions.length > 0) writes.push(writeBatch(output, nowMs, places))
  if (output.refunds.length > 0) writes.push(writeRefunds(output.refunds))
  if (output.holds.size > 0) writes.push(...writeHolds(output))
  if (output.spends.size > 0) writes.push(writeSpends([...output.spends.values()]))
  if (annotated.length > 0) writes.push(writeMetadata(annotated))
  if (output.mismatches.length > 0) writes.push(query.writeMismatches(output.mismatches))
  return writes
}

/** Needs another round trip only if a hold on one of the wallets is due. */
async function findDue(
  client: LaneClient,
  wallets: ReadonlyMap<bigint, WalletState>,
  nowMs: number,
): Promise<Hold[]> {
  const isDue = ({ nextExpiryMs }: WalletState) => nextExpiryMs !== null && nextExpiryMs <= nowMs
  const ids = [...wallets.values()].filter(isDue).map(({ id }) => id)
  if (ids.length === 0) return []
  const { rows } = await client.query<HoldRow>(readDue(ids, nowMs))
  return rows.map(toHold)
}

/**
 * The spending limits of the wallets, and the holds of captures that are refunded: they show in which period the money
 * was taken. Needs another round trip only if a wallet has limits.
 */
async function findLimits(
  client: LaneClient,
  wallets: ReadonlyMap<bigint, WalletState>,
  refunded: readonly Decision[],
) {
  const ids = [...wallets.values()].filter((each) => each.hasSpendLimits).map(({ id }) => id)
  if (ids.length === 0) return { limits: new Map(), holds: [] }
  const captured = refunded
    .filter(({ walletId }) => ids.includes(walletId))
    .flatMap(({ holdChange }) => holdChange?.target ?? [])
  const [limits, holds] = await all(
    client.query<SpendLimitRow>(readSpendLimits(ids)),
    captured.length > 0 ? client.query<HoldRow>(readHolds(captured)) : NO_ROWS,
  )
  return {
    limits: new Map(limits.rows.map(toSpendLimit).map((limit) => [keyOf(limit), limit])),
    holds: holds.rows.map(toHold),
  }
}

/**
 * Sends the commit together with the writes. If a write fails, the server turns the commit into a rollback and reports
 * ROLLBACK. If the connection fails, the outcome is unknown.
 */
async function commit(client: LaneClient, writes: pg.QueryConfig[]): Promise<void> {
  client.warned = false
  const guarded = client.requiresStandby ? [...writes, REQUIRE_STANDBY] : writes
  const written = Promise.allSettled(guarded.map((each) => client.query(each)))
  const [committed] = await Promise.allSettled([client.query('commit')])
  for (const result of await written) {
    if (result.status === 'fulfilled') continue
    if (result.reason instanceof pg.DatabaseError) throw result.reason
    throw new CommitInDoubt('The connection failed while the batch was being written.', {
      cause: result.reason,
    })
  }
  if (committed.status === 'rejected') {
    throw new CommitInDoubt('The server did not respond to the commit.', {
      cause: committed.reason,
    })
  }
  if (committed.value.command !== 'COMMIT') throw new Error('The batch was rolled back.')
  if (client.warned) throw new CommitInDoubt('The commit may not have reached the standby.')
}

/**
 * Waits for all promises, so that no rejection of a pipelined statement stays unhandled, then throws the first error.
 */
async function all<Results extends readonly unknown[]>(
  ...promises: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const settled = await Promise.allSettled(promises)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never
}
