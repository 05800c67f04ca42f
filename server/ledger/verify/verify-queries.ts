/** Statements of the verifier and of checkpoints. Each run uses one snapshot from beginning to end. */
import type { Statement } from '../../database/statement.ts'
import { ARCHIVED_BEFORE } from '../partitions/archived-queries.ts'
import { OPERATION, toOperation, toWallet, WALLET } from '../queries.ts'
import { type Head, type Kind, type Operation, UNITS, type WalletState } from '../types.ts'
import { movedSince } from '../post/spend-queries.ts'

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
export const READ_RUNNING_BALANCES: Statement<{ account: number; balance: bigint }> = {
  text: 'select id, balance from ledger.accounts where credit_limit is not null order by id',
  read: (row: { id: bigint; balance: bigint }) => ({
    account: Number(row.id),
    balance: row.balance,
  }),
}

export interface OperationId {
  walletId: bigint
  seq: bigint
}
export function toOperationId(row: {
  wallet_id: bigint | null
  seq: bigint | null
}): OperationId | undefined {
  return row.wallet_id === null || row.seq === null
    ? undefined
    : { walletId: row.wallet_id, seq: row.seq }
}

export interface KeyPage {
  /** undefined if there are no more keys. */
  last: string | undefined
  /** The first posted key whose operation is missing. */
  orphan: OperationId | undefined
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
    read: (row: KeyPageRow) => ({ last: row.last_digest ?? undefined, orphan: toOperationId(row) }),
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
      count(*) filter (where kind = 'refund') as refunds,
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
  wrong: OperationId | undefined
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
        where (k.wallet_id = p.wallet_id and k.refusal is null and k.kind::text = 'refund'
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
      wrong: toOperationId(row),
    }),
  }
}

/** Statements that verify the tables of holds. */
/** Which of these digests are holds in ledger.holds or changes in ledger.hold_changes. */
export function findHoldRows(digests: readonly string[]): Statement<string> {
  return {
    name: 'find-hold-rows',
    text: `select digest from ledger.holds where digest = any($1::uuid[])
      union all select change from ledger.hold_changes where change = any($1::uuid[])`,
    values: [digests],
    read: (row: { digest: string }) => row.digest.replaceAll('-', ''),
  }
}

/** The open holds of a wallet. */
export interface OpenHolds {
  walletId: bigint
  sum: bigint
  nextExpiryMs: number
}

/** Of each wallet that has some. */
export function sumOpenHolds(walletIds: readonly bigint[]): Statement<OpenHolds> {
  return {
    name: 'sum-open-holds',
    text: `select wallet_id, sum(remaining)::bigint as sum, min(expires_at) as next_expiry from ledger.holds
      where wallet_id = any($1::bigint[]) and remaining > 0 group by wallet_id`,
    values: [walletIds],
    read: (row: { wallet_id: bigint; sum: bigint; next_expiry: Date }) => ({
      walletId: row.wallet_id,
      sum: row.sum,
      nextExpiryMs: row.next_expiry.getTime(),
    }),
  }
}

export interface HoldPage {
  /** undefined if there are no more holds. */
  last: string | undefined
  count: number
  /** How many changes these holds have. */
  changes: number
  /** The first hold that is wrong. */
  wrong: OperationId | undefined
}

interface HoldPageRow {
  count: bigint
  changes: bigint
  last: string | null
  wallet_id: bigint | null
  seq: bigint | null
}

const LAST_DIGEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** SQL: the digest of a pair, see digest.ts. */
const DIGEST = `encode(substr(sha256(int4send(h.account::int) || int4send(octet_length(h.reference_type))
  || convert_to(h.reference_type || h.reference_id, 'UTF8')), 1, 16), 'hex')::uuid`

/**
 * Checks holds in the order of their digests: each one has a key with its amount and time, and its changes, which have
 * keys of their own, take from it step by step what is not left. No change names a hold that does not exist.
 */
export function checkHoldPage(after: string, limit: number): Statement<HoldPage> {
  return {
    name: 'check-hold-page',
    text: `with page as materialized (
        select * from ledger.holds where digest > $1 order by digest limit $2
      ), steps as materialized (
        select h.digest, c.remaining, k.kind::text as kind, k.amount,
          (k.wallet_id = h.wallet_id and c.wallet_id = h.wallet_id and k.refusal is null
            and k.kind::text in ('capture', 'release', 'expiry') and k.target = h.digest and k.held_after = c.remaining
            and (k.is_final is not true or k.held_after = 0)
            and lag(c.remaining, 1, h.amount) over (partition by h.digest order by c.remaining desc) - c.remaining
              = case when k.kind::text = 'capture' then k.amount + coalesce(k.released, 0) else k.amount end
            and coalesce(k.released, 0) = case when k.kind::text = 'capture' then coalesce(k.released, 0) else k.amount end
          ) is true as is_right
        from page h join ledger.hold_changes c on c.hold = h.digest
        left join ledger.operation_keys k on k.digest = c.change
      ), totals as (
        select digest, count(*) as changes, bool_and(is_right) as is_right, min(remaining) as remaining,
          coalesce(sum(amount) filter (where kind = 'capture'), 0) as captured,
          (array_agg(kind order by remaining))[1] as last_kind
        from steps group by digest
      ), wrong as (
        select h.wallet_id, coalesce(k.seq, 0) as seq
        from page h
        left join totals t on t.digest = h.digest
        left join ledger.operation_keys k on k.digest = h.digest
        where (k.wallet_id = h.wallet_id and k.refusal is null and k.kind::text = 'hold'
          and k.amount = h.amount and k.held_after = h.amount and k.expires_at = h.expires_at
          and k.decided_at = h.created_at and h.digest = ${DIGEST}
          and coalesce(t.is_right, true) and h.remaining = coalesce(t.remaining, h.amount)
          and h.captured = coalesce(t.captured, 0)
          and h.closed_by::text is not distinct from case when h.remaining = 0 then t.last_kind end) is not true
        order by h.digest limit 1
      ), stray as (
        select c.wallet_id, 0 as seq from ledger.hold_changes c
        where c.hold > $1 and not exists (select from ledger.holds h where h.digest = c.hold)
          and c.hold <= case when (select count(*) from page) < $2 then '${LAST_DIGEST}'
            else (select digest from page order by digest desc limit 1) end
        limit 1
      ), found as (
        select wallet_id, seq from wrong
        union all
        select wallet_id, seq from stray where not exists (select from wrong)
      )
      select (select count(*) from page) as count, (select count(*) from steps) as changes,
        (select digest from page order by digest desc limit 1) as last,
        (select wallet_id from found) as wallet_id, (select seq from found) as seq`,
    values: [after, limit],
    read: (row: HoldPageRow) => ({
      count: Number(row.count),
      changes: Number(row.changes),
      last: row.last ?? undefined,
      wrong: toOperationId(row),
    }),
  }
}

/**
 * The statement that verifies spending limits: they are in force, and count at least what the operations have taken.
 */
interface WrongLimit {
  walletId: bigint
  account: bigint
  isInForce: boolean
}

interface WrongLimitRow {
  wallet_id: bigint
  account: bigint
  has_spend_limits: boolean
}

const SINCE = `least(${UNITS.map((unit) => `l.${unit}_starts_at`).join()})`
const SUMS = UNITS.map(
  (unit) => `coalesce(sum(net) filter (where taken_at >= l.${unit}_starts_at), 0) as ${unit}`,
)
const IS_FORGOTTEN = UNITS.map((unit) => `l.${unit}_spent < s.${unit}`).join(' or ')

/** Of some wallets, the counters of those with more operations are not checked, so that the statement is short. */
const OPERATIONS_MAX = 5_000

/** A counter may be higher than the operations: a clock that was set back continues a period. */
export function findWrongLimit(walletIds: readonly bigint[] | undefined): Statement<WrongLimit> {
  const all = movedSince('l.wallet_id', 'l.account', SINCE)
  const moved = walletIds ? `${all} and w.seq <= ${OPERATIONS_MAX}` : all
  return {
    text: `select l.wallet_id, l.account, w.has_spend_limits
      from ledger.spend_limits l
      join ledger.wallets w on w.id = l.wallet_id
      cross join lateral (
        select ${SUMS.join()} from (${moved}) moved
      ) s
      where (not w.has_spend_limits or ${IS_FORGOTTEN})
        ${walletIds ? 'and l.wallet_id = any($1::bigint[])' : ''}
      order by l.wallet_id, l.account limit 1`,
    values: walletIds ? [walletIds] : [],
    read: (row: WrongLimitRow) => ({
      walletId: row.wallet_id,
      account: row.account,
      isInForce: row.has_spend_limits,
    }),
  }
}
