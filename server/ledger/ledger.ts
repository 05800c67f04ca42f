/** The ledger's interface: the only code that changes a balance. It knows nothing about HTTP, users or client apps. */
import * as history from './read/history-queries.ts'
import * as query from './queries.ts'
import type pg from 'pg'
import { createPool } from '../database/connect.ts'
import { inPortions } from '../database/prune.ts'
import { type Database, many, one, run } from '../database/statement.ts'
import { readAccount } from './account-queries.ts'
import { Admission } from './post/admit.ts'
import { recordMismatch, replay } from './post/decide.ts'
import { findDecisions, readRefunded } from './post/decision-queries.ts'
import { digestPair } from './digest.ts'
import { findDurably } from './read/read-durably.ts'
import { readArchivedBeforeOf } from './partitions/archived-queries.ts'
import { Holds } from './holds.ts'
import { JoinedHistories } from './read/join-histories.ts'
import { joinDecisionReads, joinWalletReads } from './read/join-reads.ts'
import { Lanes } from './post/lanes.ts'
import { findMismatches, pruneMismatches } from './read/mismatch-queries.ts'
import { READ_PAUSE, setPause } from './pause-queries.ts'
import { QueueLimit } from './post/queue-limit.ts'
import { type Partitions, preparePartitions } from './partitions/prepare-partitions.ts'
import { Queue } from './post/queue.ts'
import { readNewest } from './read/read-history.ts'
import { ReadShares } from './read/share-reads.ts'
import { SpendLimits } from './spend-limits.ts'
import { setWalletActive } from './set-wallet-active.ts'
import {
  type AccountState,
  type Decision,
  type HistoryEntry,
  type LedgerLookup,
  type LedgerRequest,
  type Operation,
  type Outcome,
  type Pause,
  scopeOf,
  SERVICE_SCOPE,
  type WalletState,
} from './types.ts'

export interface LedgerOptions {
  databaseUrl: string
  lanes?: number
  sideLanes?: number
  batchMax?: number
  /** If true, the ledger makes and reports decisions only while a synchronous standby is attached. */
  requiresStandby?: boolean
  queueCapacity?: number
  /** How long a request may take before it is reported as unavailable or unknown. */
  deadlineMs?: number
  onBatch?: (batch: { size: number; durationMs: number }) => void
  onError?: (message: string, error: unknown) => void
}

const READ_CONNECTIONS = 4
const SEARCH_CONNECTIONS = 2

export class Ledger {
  readonly #queue: Queue
  readonly #admission: Admission
  readonly #lanes: Lanes
  readonly #pool: pg.Pool
  /** The reads of client apps that take a connection each. Those of `readWallet` share theirs. */
  readonly #reads = new ReadShares({
    atOnce: READ_CONNECTIONS,
    perScope: READ_CONNECTIONS - 1,
    waitingMax: 1_024,
  })
  readonly #histories: JoinedHistories
  /** For searches and exports, which may be slow: they must not take the connections that other reads need. */
  readonly #searchPool: pg.Pool
  /** By wallet: one with a long history leaves a connection to the others. */
  readonly #searches = new ReadShares({
    atOnce: SEARCH_CONNECTIONS,
    perScope: SEARCH_CONNECTIONS - 1,
    waitingMax: 64,
  })
  readonly #requiresStandby: boolean
  readonly holds: Holds
  readonly spendLimits: SpendLimits

  /** The state of a wallet; undefined if it does not exist. Lookups that arrive together share a query. */
  readonly readWallet: (walletId: bigint) => Promise<WalletState | undefined>

  /**
   * The decision with this digest, if it is visible: only for a request that refers to it, whose own commit makes both
   * durable. Lookups that arrive together share a query.
   */
  readonly readTarget: (digest: string) => Promise<Decision | undefined>

  constructor(options: LedgerOptions) {
    const { lanes = 1, batchMax = 256, queueCapacity: capacity = 4_096 } = options
    this.#queue = new Queue(capacity)
    const queueLimit = new QueueLimit({ lanes, batchMax, capacity })
    this.#admission = new Admission({
      queue: this.#queue,
      queueLimit,
      deadlineMs: options.deadlineMs ?? 7_000,
    })
    this.#pool = createPool(options.databaseUrl, { size: READ_CONNECTIONS, barrier: true })
    this.#searchPool = createPool(options.databaseUrl, {
      size: SEARCH_CONNECTIONS,
      barrier: true,
    })
    this.#requiresStandby = options.requiresStandby ?? false
    this.#lanes = new Lanes({
      databaseUrl: options.databaseUrl,
      queue: this.#queue,
      lanes,
      sideLanes: options.sideLanes ?? 4,
      batchMax,
      requiresStandby: this.#requiresStandby,
      onBatch: (batch) => {
        queueLimit.observe(batch, performance.now())
        options.onBatch?.(batch)
      },
      onError: options.onError ?? (() => undefined),
    })
    this.#histories = new JoinedHistories(this.#reads, (requests) =>
      readNewest(this.#pool, requests, history.readEntries),
    )
    this.holds = new Holds(this.#pool, this.#searchPool, (request) => this.post(request))
    this.spendLimits = new SpendLimits(this.#pool, this.#requiresStandby)
    this.readWallet = joinWalletReads(this.#pool)
    this.readTarget = joinDecisionReads(this.#pool)
  }

  get queueSize(): number {
    return this.#queue.size
  }

  /** The connections for reads, for the metrics. Lanes have connections of their own. */
  get pools(): Record<string, pg.Pool> {
    return { ledger_reads: this.#pool, ledger_searches: this.#searchPool }
  }

  /** Whether a lane waits on a connection that has stopped responding. */
  get hasSilentConnection(): boolean {
    return this.#lanes.hasSilentConnection
  }

  /** Whether a request would be accepted now. Refusing it before other work is cheaper. */
  hasRoomFor(request: Pick<LedgerRequest, 'kind' | 'counterAccount'>): boolean {
    return this.#queue.hasRoomFor(scopeOf(request))
  }

  /**
   * Executes a request, exactly once per pair. Throws SERVICE_UNAVAILABLE if it was not executed (WritesPaused if an
   * operator has paused writes), and OUTCOME_UNKNOWN if the outcome is not known before the deadline. Retrying is
   * always safe.
   */
  post(request: LedgerRequest): Promise<Outcome> {
    return this.#admission.post(request)
  }

  /**
   * Executes the requests of a series, each as `post` does, and returns one promise for each. They wait for room in the
   * queue. Those for one wallet run in the given order, and none of them runs after one that failed: it throws
   * EARLIER_OPERATION_FAILED.
   */
  postSeries(requests: readonly LedgerRequest[]): Promise<Outcome>[] {
    return this.#admission.postSeries(requests)
  }

  /** Replays a pair for a caller that may not post, or may no longer post. undefined if the pair has no decision. */
  async replay(lookup: LedgerLookup): Promise<Outcome | undefined> {
    const scope = scopeOf(lookup)
    const digest = digestPair(scope, lookup.referenceType, lookup.referenceId)
    const decision = await this.#findDurably(scope, digest, lookup.walletId)
    if (decision === undefined) return undefined
    const outcome = replay(decision, lookup)
    if (outcome.mismatch.length > 0) {
      const mismatch = recordMismatch({ ...lookup, digest }, outcome)
      await run(this.#pool, query.writeMismatches([mismatch]))
    }
    return outcome
  }

  /** The seqs of the operations with these digests, if they were posted. */
  async findDebits(digests: readonly string[]): Promise<Map<string, bigint>> {
    if (digests.length === 0) return new Map()
    const rows = await many(this.#pool, findDecisions(digests))
    // A refused debit has no operation; its seq is that of the operation before it.
    const posted = rows.filter(({ refusal }) => refusal === null)
    return new Map(posted.map(({ digest, seq }) => [digest, seq]))
  }

  /** For operations of a wallet: the seqs of the debits that they refund, and how much of them is refunded. */
  async findRefunds(operations: readonly Operation[]) {
    const refunds = operations.filter(({ kind }) => kind === 'refund')
    const debits = await this.findDebits(refunds.flatMap(({ target }) => target ?? []))
    const taken = operations.filter(({ kind }) => kind === 'debit' || kind === 'capture')
    const digests = taken.map((each) =>
      digestPair(each.counterAccount, each.referenceType, each.referenceId),
    )
    const totals = taken.length > 0 ? await many(this.#searchPool, readRefunded(digests)) : []
    const byDigest = new Map(
      totals.map(({ debit, refunded }) => [debit.replaceAll('-', ''), refunded]),
    )
    const refunded = new Map(taken.map((each, at) => [each, byDigest.get(digests[at] as string)]))
    return { debits, refunded }
  }

  /** How much of a debit is refunded. */
  async readRefunded(debit: string): Promise<bigint> {
    return (await one(this.#pool, readRefunded([debit])))?.refunded ?? 0n
  }

  /** A decision in the service's own scope. */
  findServiceDecision(referenceType: string, referenceId: string) {
    return this.findDecision(SERVICE_SCOPE, referenceType, referenceId)
  }

  /** The reader is the scope whose share of the connections it takes. */
  findDecision(scope: number, referenceType: string, referenceId: string, reader = scope) {
    return this.#findDurably(reader, digestPair(scope, referenceType, referenceId), null)
  }

  /** As `readTarget`. It reports nothing only after a decision that is being written is visible. */
  async findTarget(reader: number, digest: string): Promise<Decision | undefined> {
    return (await this.readTarget(digest)) ?? this.#findDurably(reader, digest, null)
  }

  /** Repeats of a pair that differed from the original request, newest first. */
  listMismatches(scope: number, referenceType: string, referenceId: string, limit: number) {
    const digest = digestPair(scope, referenceType, referenceId)
    return many(this.#searchPool, findMismatches(digest, limit))
  }

  /** Operations with a seq up to and including upToSeq, newest first. */
  readHistory(
    reader: number,
    walletId: bigint,
    upToSeq: bigint,
    limit: number,
  ): Promise<HistoryEntry[]> {
    return this.#histories.read(reader, { walletId, upToSeq, limit })
  }

  /**
   * The same for pages at /account and /admin and for exports, which may be long: through the connections for searches.
   */
  async readHistoryPage(walletId: bigint, upToSeq: bigint, limit: number): Promise<Operation[]> {
    const request = { walletId, upToSeq, limit }
    const [page = []] = await this.#search(walletId, () =>
      readNewest(this.#searchPool, [request], history.readHistories),
    )
    return page
  }

  /** The operation of a posted decision; undefined if its month was archived. */
  readOperation({ walletId, seq, decidedAtMs }: Decision): Promise<Operation | undefined> {
    return one(this.#pool, history.readOperation(walletId, seq, new Date(decidedAtMs)))
  }

  /** Operations before this time are in files; undefined if the wallet has none there. */
  readArchivedBefore(walletId: bigint): Promise<Date | undefined> {
    return one(this.#pool, readArchivedBeforeOf(walletId))
  }

  /** Matching operations, newest first. */
  searchHistory(search: history.HistorySearch): Promise<Operation[]> {
    return this.#search(search.walletId, () =>
      many(this.#searchPool, history.searchHistory(search)),
    )
  }

  /** Deletes old mismatches; returns how many. */
  pruneMismatches(): Promise<number> {
    return inPortions(async (most) => (await one(this.#searchPool, pruneMismatches(most))) ?? 0)
  }

  async openWallet(): Promise<bigint> {
    return (await one(this.#pool, query.OPEN_WALLET)) as bigint
  }

  /** Opens a ledger account; creditLimit null means no limit. */
  async openAccount(name: string, creditLimit: bigint | null): Promise<number> {
    return Number(await one(this.#pool, query.openAccount(name, creditLimit)))
  }

  /** The limit and the running balance of an account; both null without a limit, undefined if it does not exist. */
  readAccount(id: number): Promise<AccountState | undefined> {
    return one(this.#pool, readAccount(id))
  }

  /**
   * Closes an empty wallet for good, in a transaction of the caller: from its commit on, no refund can reach it.
   * Returns false if the wallet is not empty.
   */
  async closeWallet(walletId: bigint, db: Database): Promise<boolean> {
    const closed = await run(db, query.closeWallet(walletId))
    return closed > 0 && (await run(db, query.eraseTexts(walletId))) > 0
  }

  /** Returns whether the state changed. `db`: a transaction of the caller. */
  setWalletActive(walletId: bigint, isActive: boolean, db?: Database): Promise<boolean> {
    return setWalletActive(db ?? this.#pool, walletId, isActive)
  }

  /** null if writes are not paused. */
  async readPause(): Promise<Pause | null> {
    return (await one(this.#pool, READ_PAUSE)) ?? null
  }

  /**
   * While writes are paused, every process replays earlier decisions and makes no new ones: every batch checks the
   * pause, so the batches that are running are the last. null resumes writes. Returns the previous state. `db`:
   * a transaction of the caller, at whose commit it takes effect.
   */
  async setPause(
    pause: { by: string; reason: string } | null,
    db?: Database,
  ): Promise<Pause | null> {
    return (await one(db ?? this.#pool, setPause(pause))) ?? null
  }

  /** Creates the partitions of the coming months, and returns which ones are missing. */
  preparePartitions(): Promise<Partitions> {
    return preparePartitions(this.#pool)
  }

  /** Refuses new requests and finishes the pending ones. */
  async close(): Promise<void> {
    await this.#admission.close()
    await Promise.all([this.#lanes.close(), this.#pool.end(), this.#searchPool.end()])
  }

  #findDurably(reader: number, digest: string, walletId: bigint | null) {
    const key = { digest, walletId }
    return this.#reads.run(reader, () => findDurably(this.#pool, key, this.#requiresStandby))
  }

  #search<Found>(walletId: bigint, read: () => Promise<Found>): Promise<Found> {
    return this.#searches.run(Number(walletId), read)
  }
}
