/** Finds the decision about a pair, waits for a decision that is being written, and completes keys of older versions. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { many, type Database, type Statement } from '../database/statement.ts'
import { uuidArray } from '../database/binary-array.ts'
import type {
  DecidedHold,
  DecidedHoldChange,
  DecidedRefund,
  Decision,
  Kind,
  Refusal,
} from './types.ts'

export interface DecisionRow {
  digest: string
  wallet_id: bigint
  seq: bigint
  decided_at: Date
  refusal: Refusal | null
  /** null if the key was written without its outcome, before migration 0017. */
  kind: Kind | null
  amount: bigint | null
  balance_after: bigint | null
  /** null stands for 1. */
  outcome_version: number | null
  target: string | null
  refundable: bigint | null
  is_amount_omitted: boolean | null
  is_balance_hidden: boolean | null
  held_after: bigint | null
  released: bigint | null
  expires_at: Date | null
  is_final: boolean | null
}
const TERMS = [
  'target',
  'refundable',
  'is_amount_omitted',
  'is_balance_hidden',
  'held_after',
  'released',
  'expires_at',
  'is_final',
]
/** Of a key with these columns. */
const TERMS_VERSION = 2

/** Thrown if a pair was decided and the decision cannot be read, so the pair is neither refused nor unknown. */
export class OutcomeMissing extends Error {
  override name = 'OutcomeMissing'

  constructor({ digest, wallet_id: walletId, seq }: DecisionRow, problem: string) {
    super(`The key ${digest} (wallet ${walletId}, operation ${seq}) ${problem}.`)
  }
}

/** Reads only keys: they carry the outcome. */
export function findDecisions(digests: readonly string[]): Statement<DecisionRow> {
  return {
    name: 'find-decisions',
    text: `select digest, wallet_id, seq, decided_at, refusal, kind, amount, balance_after, outcome_version,
        ${TERMS.join()}
      from ledger.operation_keys where digest = any($1::uuid[])`,
    values: [uuidArray(digests)],
    read: (row: DecisionRow) => row,
  }
}

/** Takes the outcomes from the operations. It opens every partition; only keys that the backfill has not reached need it. */
function findUnfilled(digests: readonly string[]): Statement<DecisionRow> {
  return {
    text: `select k.digest, k.wallet_id, k.seq, k.decided_at, k.refusal, coalesce(k.kind, o.kind) as kind,
        coalesce(k.amount, abs(o.amount - coalesce(o.debt_change, 0))) as amount,
        coalesce(k.balance_after, o.balance_after) as balance_after, k.outcome_version,
        ${TERMS.map((each) => `k.${each}`).join()}
      from ledger.operation_keys k
      left join ledger.operations o on k.kind is null
        and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
      where k.digest = any($1::uuid[])`,
    values: [digests],
    read: (row: DecisionRow) => row,
  }
}

export async function toDecisions(db: Database, rows: readonly DecisionRow[]): Promise<Decision[]> {
  const unfilled = rows.filter(({ kind }) => kind === null).map(({ digest }) => digest)
  if (unfilled.length === 0) return rows.map(toDecision)
  const filled = rows.filter(({ kind }) => kind !== null)
  return [...filled, ...(await many(db, findUnfilled(unfilled)))].map(toDecision)
}

/** Waits until no batch has locked the wallet. The next statement sees the rows that the batch committed. */
export function waitForWallet(walletId: bigint): pg.QueryConfig {
  return {
    name: 'wait-for-wallet',
    text: 'select from ledger.wallets where id = $1 for key share',
    values: [walletId],
  }
}

/**
 * Waits until no transaction is inserting this key, by inserting the same key and rolling back. All of it is one simple
 * query, so that no batch waits for our next round trip.
 */
export function waitForKey(digest: string): string {
  assert.match(digest, /^[0-9a-f]{32}$/)
  return `savepoint key;
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at)
    values ('${digest}', 0, 0, now()) on conflict do nothing;
    rollback to savepoint key`
}

function toDecision(row: DecisionRow): Decision {
  const { kind, refusal, balance_after: balanceAfter, outcome_version: version } = row
  const terms = version === TERMS_VERSION ? toTerms(row) : undefined
  // A refund, capture or release without an amount that was refused because nothing was left.
  const amount = row.amount ?? (row.is_amount_omitted ? 0n : null)
  if (version !== null && terms === undefined)
    throw new OutcomeMissing(row, `has an outcome of version ${version}`)
  if (kind === null || amount === null || (refusal === null && balanceAfter === null)) {
    throw new OutcomeMissing(row, 'has neither an outcome nor an operation')
  }
  return {
    digest: row.digest.replaceAll('-', ''),
    walletId: row.wallet_id,
    seq: row.seq,
    kind,
    amountMinor: amount,
    balanceAfter,
    refusal,
    decidedAtMs: row.decided_at.getTime(),
    ...terms,
  }
}

interface Terms {
  refund?: DecidedRefund
  hold?: DecidedHold
  ofHold?: DecidedHoldChange
}

/** undefined if a column is missing that the kind has. */
function toTerms(row: DecisionRow): Terms | undefined {
  const { target, refundable, held_after: held, expires_at: expiresAt } = row
  if (row.kind === 'hold')
    return expiresAt ? { hold: { expiresAtMs: expiresAt.getTime() } } : undefined
  if (target === null) return undefined
  const common = {
    target: target.replaceAll('-', ''),
    isAmountOmitted: row.is_amount_omitted === true,
    isBalanceHidden: row.is_balance_hidden === true,
  }
  if (refundable !== null) return { refund: { ...common, refundable } }
  if (held === null) return undefined
  const isFinal = row.is_final === true
  return { ofHold: { ...common, isFinal, held, released: row.released ?? 0n } }
}

/** How much of each debit is refunded. No row if nothing is. */
export function readRefunded(debits: readonly string[]): Statement<RefundedRow> {
  return {
    name: 'read-refunded',
    text: `select r.debit, r.refunded from unnest($1::uuid[]) as x(debit),
      lateral (select debit, refunded from ledger.refunds where debit = x.debit order by refunded desc limit 1) r`,
    values: [uuidArray(debits)],
    read: (row: RefundedRow) => row,
  }
}

export interface RefundedRow {
  debit: string
  refunded: bigint
}

/** What a portion of the backfill did. */
export interface Backfilled {
  filled: number
  /** Keys that have neither an outcome nor an operation. */
  lost: number
  /** From 0 to 1; undefined if another process is working. */
  progress: number | undefined
  /** The next portion is due then, in any process. */
  waitMs: number
}

interface BackfilledRow {
  filled: bigint
  lost: bigint
  progress: number | null
  wait_ms: number
}

export function backfillOutcomes(most: number): Statement<Backfilled> {
  return {
    text: 'select filled, lost, progress, wait_ms from ledger.backfill_outcomes($1)',
    values: [most],
    read: (row: BackfilledRow) => ({
      filled: Number(row.filled),
      lost: Number(row.lost),
      progress: row.progress ?? undefined,
      waitMs: row.wait_ms,
    }),
  }
}

export interface StoredMetadata {
  digest: string
  data: Record<string, string>
}

export function readMetadata(digests: readonly string[]): Statement<StoredMetadata> {
  return {
    name: 'read-metadata',
    text: 'select digest, data from ledger.metadata where digest = any($1::uuid[])',
    values: [uuidArray(digests)],
    read: ({ digest, data }: StoredMetadata) => ({ digest: digest.replaceAll('-', ''), data }),
  }
}
