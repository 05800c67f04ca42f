/** Statements that verify the tables of holds. */
import type { Statement } from '../../database/statement.ts'
import { toPlace, type Place } from '../verify-queries.ts'

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
  wrong: Place | undefined
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
      wrong: toPlace(row),
    }),
  }
}
