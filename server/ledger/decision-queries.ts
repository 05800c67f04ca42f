/** What was decided about a pair, and waiting for a decision that is being written. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import { uuidArray } from '../database/binary-array.ts'
import type { Decision, Kind, Refusal } from './types.ts'

export interface DecisionRow {
  digest: string
  wallet_id: bigint
  seq: bigint
  decided_at: Date
  refusal: Refusal | null
  kind: Kind
  amount: bigint
  balance_after: bigint | null
}

export function findDecisions(digests: readonly string[]): Statement<Decision> {
  return {
    name: 'find-decisions',
    text: `select k.digest, k.wallet_id, k.seq, k.decided_at, k.refusal, coalesce(k.kind, o.kind) as kind,
        coalesce(k.amount, abs(o.amount - coalesce(o.debt_change, 0))) as amount, o.balance_after
      from ledger.operation_keys k
      left join ledger.operations o on k.refusal is null
        and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
      where k.digest = any($1::uuid[])`,
    values: [uuidArray(digests)],
    read: toDecision,
  }
}

/** Waits until no batch has the wallet. A later statement sees what that batch committed. */
export function waitForWallet(walletId: bigint): pg.QueryConfig {
  return {
    name: 'wait-for-wallet',
    text: 'select from ledger.wallets where id = $1 for key share',
    values: [walletId],
  }
}

/**
 * Waits until no transaction is inserting this key: an insert of the same key waits for it, and is undone. It is one
 * simple query, so that no batch ever waits for us.
 */
export function waitForKey(digest: string): string {
  assert.match(digest, /^[0-9a-f]{32}$/)
  return `savepoint key;
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at)
    values ('${digest}', 0, 0, now()) on conflict do nothing;
    rollback to savepoint key`
}

export function toDecision(row: DecisionRow): Decision {
  return {
    digest: row.digest.replaceAll('-', ''),
    walletId: row.wallet_id,
    seq: row.seq,
    kind: row.kind,
    amountMinor: row.amount,
    balanceAfter: row.balance_after,
    refusal: row.refusal,
    decidedAtMs: row.decided_at.getTime(),
  }
}
