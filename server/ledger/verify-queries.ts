/** The statements of the verifier and of checkpoints; they read one snapshot from beginning to end. */
import type pg from 'pg'
import { WALLET } from './queries.ts'

export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only'

export function readWalletPage(afterId: bigint, limit: number): pg.QueryConfig {
  return {
    name: 'read-wallet-page',
    text: `select ${WALLET} from ledger.wallets where id > $1 order by id limit $2`,
    values: [afterId, limit],
  }
}

/** Operations of these wallets, each after its seq, in the order of wallets and seqs; to be fetched piece by piece. */
export function openOperationsCursor(
  walletIds: readonly bigint[],
  afterSeqs: readonly bigint[],
): pg.QueryConfig {
  return {
    text: `declare operations no scroll cursor for
      select o.wallet_id, o.seq, o.amount, o.balance_after, o.created_at, o.counter_account, o.kind, o.debt_change,
        o.debt_after, o.reference_type, o.reference_id, o.description, o.hash
      from unnest('{${walletIds.join()}}'::bigint[], '{${afterSeqs.join()}}'::bigint[]) as x(id, seq)
      join ledger.operations o on o.wallet_id = x.id and o.seq > x.seq
      order by o.wallet_id, o.seq`,
  }
}
export const FETCH_OPERATIONS = 'fetch 5000 from operations'
export const CLOSE_OPERATIONS = 'close operations'

export interface KeyRow {
  digest: string
  wallet_id: bigint
  seq: bigint
  decided_at: Date
}

export function readKeys(digests: readonly string[]): pg.QueryConfig {
  return {
    name: 'read-keys',
    text: `select digest, wallet_id, seq, decided_at from ledger.operation_keys
      where digest = any($1::uuid[]) and refusal is null`,
    values: [digests],
  }
}

export const READ_ALLOWANCES = `select id, balance from ledger.accounts where credit_limit is not null order by id`

/** Operations that belong to no wallet, and posted keys whose operation is gone. */
export const FIND_ORPHAN_OPERATION = `select wallet_id, seq from ledger.operations o
  where not exists (select from ledger.wallets w where w.id = o.wallet_id) limit 1`
export const FIND_ORPHAN_KEY = `select wallet_id, seq from ledger.operation_keys k
  where refusal is null and not exists (
    select from ledger.operations o where o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
  ) limit 1`
