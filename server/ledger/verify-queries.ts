/** Statements of the verifier and of checkpoints. Each run uses one snapshot from beginning to end. */
import type { Statement } from '../database/statement.ts'
import { ARCHIVED_BEFORE } from './archived-queries.ts'
import { toOperation, toWallet, WALLET } from './queries.ts'
import type { Kind, Operation, WalletState } from './types.ts'

export const BEGIN_SNAPSHOT = { text: 'begin isolation level repeatable read read only' }
export const COMMIT = { text: 'commit' }
export const ROLLBACK = { text: 'rollback' }

export function readWalletPage(afterId: bigint, limit: number): Statement<WalletState> {
  return {
    name: 'read-wallet-page',
    text: `select ${WALLET} from ledger.wallets where id > $1 order by id limit $2`,
    values: [afterId, limit],
    read: toWallet,
  }
}

/**
 * The operations of each wallet after the given seq, ordered by wallet and seq. The caller fetches them in portions.
 */
export function openOperationsCursor(
  walletIds: readonly bigint[],
  afterSeqs: readonly bigint[],
): { text: string } {
  return {
    text: `declare operations no scroll cursor for
      select o.wallet_id, o.seq, o.amount, o.balance_after, o.created_at, o.counter_account, o.kind, o.debt_change,
        o.debt_after, o.held_change, o.held_after, o.target, o.reference_type, o.reference_id, o.description, o.hash
      from unnest('{${walletIds.join()}}'::bigint[], '{${afterSeqs.join()}}'::bigint[]) as x(id, seq)
      join ledger.operations o on o.wallet_id = x.id and o.seq > x.seq
      order by o.wallet_id, o.seq`,
  }
}
export const FETCH_OPERATIONS: Statement<Operation> = {
  text: 'fetch 5000 from operations',
  read: toOperation,
}
export const CLOSE_OPERATIONS = { text: 'close operations' }

/** The key of a posted operation. */
export interface PostedKey {
  digest: string
  walletId: bigint
  seq: bigint
  decidedAtMs: number
  /** Null, like the other values of the outcome, if the key was written without it. */
  kind: Kind | null
  amountMinor: bigint | null
  balanceAfter: bigint | null
  target: string | null
}

interface PostedKeyRow {
  digest: string
  wallet_id: bigint
  seq: bigint
  decided_at: Date
  kind: Kind | null
  amount: bigint | null
  balance_after: bigint | null
  target: string | null
}

export function readKeys(digests: readonly string[]): Statement<PostedKey> {
  return {
    name: 'read-keys',
    text: `select digest, wallet_id, seq, decided_at, kind, amount, balance_after, target from ledger.operation_keys
      where digest = any($1::uuid[]) and refusal is null`,
    values: [digests],
    read: (row: PostedKeyRow) => ({
      digest: row.digest.replaceAll('-', ''),
      walletId: row.wallet_id,
      seq: row.seq,
      decidedAtMs: row.decided_at.getTime(),
      kind: row.kind,
      amountMinor: row.amount,
      balanceAfter: row.balance_after,
      target: row.target && row.target.replaceAll('-', ''),
    }),
  }
}

/** The running balances of the accounts that have a credit limit. */
export const READ_ALLOWANCES: Statement<{ account: number; balance: bigint }> = {
  text: 'select id, balance from ledger.accounts where credit_limit is not null order by id',
  read: (row: { id: bigint; balance: bigint }) => ({
    account: Number(row.id),
    balance: row.balance,
  }),
}

export interface Place {
  walletId: bigint
  seq: bigint
}
const toPlace = (row: { wallet_id: bigint; seq: bigint }) => ({
  walletId: row.wallet_id,
  seq: row.seq,
})

/** A key of a posted operation whose row is missing. */
export function findOrphanKey(groups: readonly number[], mask: number): Statement<Place> {
  return {
    text: `select wallet_id, seq from ledger.operation_keys k
      where refusal is null and decided_at >= ${ARCHIVED_BEFORE} and wallet_id & ${mask} = any($1::bigint[]) and not exists (
        select from ledger.operations o
        where o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
      ) order by wallet_id, seq limit 1`,
    values: [groups],
    read: toPlace,
  }
}

/** The wallets of groups, see fingerprint.ts. */
export function findWalletsOfGroups(groups: readonly number[], mask: number): Statement<bigint> {
  return {
    text: `select id from ledger.wallets where id & ${mask} = any($1::bigint[])`,
    values: [groups],
    read: (row: { id: bigint }) => row.id,
  }
}

export function readWallets(ids: readonly bigint[]): Statement<WalletState> {
  return {
    text: `select ${WALLET} from ledger.wallets where id = any($1::bigint[])`,
    values: [ids],
    read: toWallet,
  }
}

export const COUNT_WALLETS: Statement<number> = {
  text: 'select count(*)::int as count from ledger.wallets',
  read: (row: { count: number }) => row.count,
}

/** The refunds of these debits. */
export function findRefunds(debits: readonly string[]): Statement<string> {
  return {
    name: 'find-refunds',
    text: 'select refund from ledger.refunds where debit = any($1::uuid[])',
    values: [debits],
    read: (row: { refund: string }) => row.refund.replaceAll('-', ''),
  }
}

export interface RefundPage {
  /** undefined if there are no more refunds. */
  last: { debit: string; refunded: bigint } | undefined
  count: number
  /** The first refund that is wrong. */
  wrong: Place | undefined
}

interface RefundPageRow {
  count: bigint
  last_debit: string | null
  last_refunded: bigint | null
  wallet_id: bigint | null
  seq: bigint | null
}

/**
 * Checks refunds in the order of their debits: each one has a key that names the debit, adds its amount to the total,
 * and leaves the rest of the debit, whose key has the amount.
 */
export function checkRefundPage(
  after: { debit: string; refunded: bigint },
  limit: number,
): Statement<RefundPage> {
  return {
    name: 'check-refund-page',
    text: `with page as materialized (
        select debit, refunded, refund, wallet_id, debited from ledger.refunds
        where (debit, refunded) > ($1, $2) order by debit, refunded limit $3
      ), wrong as (
        select coalesce(k.wallet_id, p.wallet_id) as wallet_id, coalesce(k.seq, 0) as seq
        from page p
        left join ledger.operation_keys k on k.digest = p.refund
        left join ledger.operation_keys d on d.digest = p.debit
        where (k.wallet_id = p.wallet_id and k.refusal is null and k.kind::text = 'debit_refund'
          and k.target = p.debit
          and k.refundable = p.debited - p.refunded
          and k.amount = p.refunded - coalesce((
            select max(refunded) from ledger.refunds e where e.debit = p.debit and e.refunded < p.refunded
          ), 0)
          and d.wallet_id = p.wallet_id and d.refusal is null and d.kind::text in ('debit', 'capture')
          and d.amount = p.debited) is not true
        order by p.debit, p.refunded limit 1
      ), last as (select debit, refunded from page order by debit desc, refunded desc limit 1)
      select (select count(*) from page) as count, (select debit from last) as last_debit,
        (select refunded from last) as last_refunded, (select wallet_id from wrong) as wallet_id,
        (select seq from wrong) as seq`,
    values: [after.debit, after.refunded, limit],
    read: (row: RefundPageRow) => ({
      count: Number(row.count),
      last:
        row.last_debit === null || row.last_refunded === null
          ? undefined
          : { debit: row.last_debit, refunded: row.last_refunded },
      wrong:
        row.wallet_id === null || row.seq === null
          ? undefined
          : { walletId: row.wallet_id, seq: row.seq },
    }),
  }
}
