/** Statements of the verifier and of checkpoints. Each run uses one snapshot from beginning to end. */
import type { Statement } from '../database/statement.ts'
import { ARCHIVED_BEFORE } from './archived-queries.ts'
import { OPERATION, toOperation, toWallet, WALLET } from './queries.ts'
import type { Head, Kind, Operation, WalletState } from './types.ts'

export const BEGIN_SNAPSHOT = { text: 'begin isolation level repeatable read read only' }
export const COMMIT = { text: 'commit' }
export const ROLLBACK = { text: 'rollback' }

export const EXPORT_SNAPSHOT: Statement<string> = {
  text: 'select pg_export_snapshot() as snapshot',
  read: (row: { snapshot: string }) => row.snapshot,
}

export function useSnapshot(snapshot: string): { text: string } {
  return { text: `set transaction snapshot '${snapshot}'` }
}

export function readWalletsFrom(id: bigint, upTo: bigint, limit: number): Statement<WalletState> {
  return {
    name: 'read-wallets-from',
    text: `select ${WALLET} from ledger.wallets where id >= $1 and id <= $2 order by id limit $3`,
    values: [id, upTo, limit],
    read: toWallet,
  }
}

/** The last of this many wallets; nothing if there are fewer. */
export function findLastOf(fromId: bigint, wallets: number): Statement<bigint> {
  return {
    name: 'find-last-of',
    text: 'select id from ledger.wallets where id >= $1 order by id offset $2 limit 1',
    values: [fromId, wallets - 1],
    read: (row: { id: bigint }) => row.id,
  }
}

/** Reads in the order of the primary key, which each monthly partition has, and stops at the limit. */
export function readOperationsAfter(
  { id, seq }: Pick<Head, 'id' | 'seq'>,
  upToWallet: bigint,
  limit: number,
): Statement<Operation> {
  return {
    name: 'read-operations-after',
    text: `select ${OPERATION} from ledger.operations
      where (wallet_id, seq) > ($1, $2) and wallet_id <= $3 order by wallet_id, seq limit $4`,
    values: [id, seq, upToWallet, limit],
    read: toOperation,
  }
}

/** Without bitmap scans, `readOperationsAfterHeads` stops at its limit even within a long chain. */
export const USE_ORDERED_INDEX = { text: 'set local enable_bitmapscan = off' }

/** The operations of each wallet after its head. The order of the heads is that of the wallets. */
export function readOperationsAfterHeads(
  heads: readonly Pick<Head, 'id' | 'seq'>[],
  limit: number,
): Statement<Operation> {
  return {
    name: 'read-operations-after-heads',
    text: `select o.* from unnest($1::bigint[], $2::bigint[]) with ordinality as head (id, seq, place)
      cross join lateral (
        select ${OPERATION} from ledger.operations
        where wallet_id = head.id and seq > head.seq order by wallet_id, seq limit $3
      ) o order by head.place, o.seq limit $3`,
    values: [heads.map(({ id }) => id), heads.map(({ seq }) => seq), limit],
    read: toOperation,
  }
}

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
export function toPlace(row: { wallet_id: bigint | null; seq: bigint | null }): Place | undefined {
  return row.wallet_id === null || row.seq === null
    ? undefined
    : { walletId: row.wallet_id, seq: row.seq }
}

export interface KeyPage {
  /** undefined if there are no more keys. */
  last: string | undefined
  /** The first posted key whose operation is missing. */
  orphan: Place | undefined
}

interface KeyPageRow {
  last_digest: string | null
  wallet_id: bigint | null
  seq: bigint | null
}

/** Looks for the operations of keys, in the order of their digests. */
export function checkKeyPage(afterDigest: string, limit: number): Statement<KeyPage> {
  return {
    name: 'check-key-page',
    text: `with page as materialized (
        select digest, wallet_id, seq, decided_at, refusal from ledger.operation_keys
        where digest > $1 order by digest limit $2
      ), orphan as (
        select wallet_id, seq from page k
        where refusal is null and decided_at >= ${ARCHIVED_BEFORE} and not exists (
          select from ledger.operations o
          where o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
        ) order by digest limit 1
      )
      select (select digest from page order by digest desc limit 1) as last_digest,
        (select wallet_id from orphan) as wallet_id, (select seq from orphan) as seq`,
    values: [afterDigest, limit],
    read: (row: KeyPageRow) => ({ last: row.last_digest ?? undefined, orphan: toPlace(row) }),
  }
}

/** How many keys of posted operations there are. */
export interface KeyCounts {
  /** Of operations that are not archived. */
  operations: number
  refunds: number
  holds: number
  holdChanges: number
}

type KeyCountsRow = Record<'operations' | 'refunds' | 'holds' | 'hold_changes', bigint>

/** For COUNT_KEYS: to read a whole table, a sequential scan is faster than an index. */
export const ALLOW_SCANS = { text: 'set local enable_seqscan = on' }
export const COUNT_KEYS: Statement<KeyCounts> = {
  text: `select count(*) filter (where decided_at >= ${ARCHIVED_BEFORE}) as operations,
      count(*) filter (where kind = 'debit_refund') as refunds,
      count(*) filter (where kind = 'hold') as holds,
      count(*) filter (where kind in ('capture', 'release', 'expiry')) as hold_changes
    from ledger.operation_keys where refusal is null`,
  read: (row: KeyCountsRow) => ({
    operations: Number(row.operations),
    refunds: Number(row.refunds),
    holds: Number(row.holds),
    holdChanges: Number(row.hold_changes),
  }),
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
      wrong: toPlace(row),
    }),
  }
}
