/** Finds the decision about a pair, and waits for a decision that is being written. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import { uuidArray } from '../../database/binary-array.ts'
import type { Decision, Kind, Refusal } from '../types.ts'

export interface DecisionRow {
  digest: string
  wallet_id: bigint
  seq: bigint
  decided_at: Date
  refusal: Refusal | null
  kind: Kind
  amount: bigint | null
  balance_after: bigint | null
  target: string | null
  refundable: bigint | null
  is_amount_omitted: boolean | null
  is_balance_hidden: boolean | null
  held_after: bigint | null
  released: bigint | null
  expires_at: Date | null
  is_final: boolean | null
}
/** Reads only keys: they have the whole outcome. */
export function findDecisions(digests: readonly string[]): Statement<Decision> {
  return {
    name: 'find-decisions',
    text: `select digest, wallet_id, seq, decided_at, refusal, kind, amount, balance_after, target, refundable,
        is_amount_omitted, is_balance_hidden, held_after, released, expires_at, is_final
      from ledger.operation_keys where digest = any($1::uuid[])`,
    values: [uuidArray(digests)],
    read: toDecision,
  }
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
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
    values ('${digest}', 0, 0, now(), 'debit', 1, 0) on conflict do nothing;
    rollback to savepoint key`
}

export function toDecision(row: DecisionRow): Decision {
  return {
    digest: row.digest.replaceAll('-', ''),
    walletId: row.wallet_id,
    seq: row.seq,
    kind: row.kind,
    // null: a refund, capture or release without an amount that was refused because nothing was left.
    amountMinor: row.amount ?? 0n,
    balanceAfter: row.balance_after,
    refusal: row.refusal,
    decidedAtMs: row.decided_at.getTime(),
    ...toTerms(row),
  }
}

/** What only refunds, holds and changes of holds have. */
function toTerms(row: DecisionRow): Pick<Decision, 'refund' | 'hold' | 'holdChange'> {
  const { target, refundable, held_after: held, expires_at: expiresAt } = row
  if (expiresAt !== null) return { hold: { expiresAtMs: expiresAt.getTime() } }
  if (target === null) return {}
  const common = {
    target: target.replaceAll('-', ''),
    isAmountOmitted: row.is_amount_omitted === true,
    isBalanceHidden: row.is_balance_hidden === true,
  }
  if (refundable !== null) return { refund: { ...common, refundable } }
  assert(held !== null, 'what changes a hold has the rest of the hold')
  return {
    holdChange: { ...common, isFinal: row.is_final === true, held, released: row.released ?? 0n },
  }
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
