/** Reads and writes holds. */
import type pg from 'pg'
import { int8Array, textArray, uuidArray } from '../../database/binary-array.ts'
import type { Statement } from '../../database/statement.ts'
import type { BatchOutput } from './decide-types.ts'
import type { Hold, Kind } from '../types.ts'

export interface HoldRow {
  digest: string
  wallet_id: bigint
  account: bigint
  amount: bigint
  captured: bigint
  remaining: bigint
  created_at: Date
  expires_at: Date
  closed_by: Kind | null
  reference_type: string
  reference_id: string
  suspended_at: Date | null
}

const HOLD = `digest, wallet_id, account, amount, captured, remaining, created_at, expires_at, closed_by,
  reference_type, reference_id`
/** What only `suspendHolds` and `allowHold` write. */
const READ = `${HOLD}, suspended_at`

export function toHold(row: HoldRow): Hold {
  return {
    digest: row.digest.replaceAll('-', ''),
    walletId: row.wallet_id,
    account: Number(row.account),
    amount: row.amount,
    captured: row.captured,
    remaining: row.remaining,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    closedBy: row.closed_by,
    referenceType: row.reference_type,
    referenceId: row.reference_id,
    isSuspended: row.suspended_at !== null,
  }
}

export function readHolds(digests: readonly string[]): Statement<Hold> {
  return {
    name: 'read-holds',
    text: `select ${READ} from ledger.holds where digest = any($1::uuid[])`,
    values: [uuidArray(digests)],
    read: toHold,
  }
}

/** The open holds of these wallets whose time is over. */
export function readDue(walletIds: readonly bigint[], nowMs: number): Statement<Hold> {
  return {
    name: 'read-due-holds',
    text: `select ${READ} from ledger.holds
      where wallet_id = any($1::bigint[]) and remaining > 0 and expires_at <= $2 order by expires_at, digest`,
    values: [int8Array(walletIds), new Date(nowMs)],
    read: toHold,
  }
}

/** Run this after the wallets were written. A change that another transaction has written violates the primary key. */
export function writeHolds({ holds, holdChanges }: BatchOutput): pg.QueryConfig[] {
  const rows = [...holds.values()]
  return [
    {
      name: 'write-holds',
      text: `insert into ledger.holds (${HOLD})
        select digest, wallet_id, account, amount, captured, remaining, created_at, expires_at,
          closed_by::ledger.kind, reference_type, reference_id
        from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::timestamptz[], $8::timestamptz[], $9::text[], $10::text[], $11::text[])
          as x(${HOLD})
        order by digest
        on conflict (digest) do update
        set captured = excluded.captured, remaining = excluded.remaining, closed_by = excluded.closed_by`,
      values: [
        uuidArray(rows.map((each) => each.digest)),
        int8Array(rows.map((each) => each.walletId)),
        int8Array(rows.map((each) => each.account)),
        int8Array(rows.map((each) => each.amount)),
        int8Array(rows.map((each) => each.captured)),
        int8Array(rows.map((each) => each.remaining)),
        rows.map((each) => new Date(each.createdAtMs)),
        rows.map((each) => new Date(each.expiresAtMs)),
        textArray(rows.map((each) => each.closedBy)),
        textArray(rows.map((each) => each.referenceType)),
        textArray(rows.map((each) => each.referenceId)),
      ],
    },
    {
      name: 'write-hold-changes',
      text: `insert into ledger.hold_changes (hold, change, wallet_id, remaining)
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[]) order by 1, 4`,
      values: [
        uuidArray(holdChanges.map((each) => each.hold)),
        uuidArray(holdChanges.map((each) => each.change)),
        int8Array(holdChanges.map((each) => each.walletId)),
        int8Array(holdChanges.map((each) => each.remaining)),
      ],
    },
    {
      name: 'set-next-expiry',
      text: `update ledger.wallets w set next_expiry = (
          select min(expires_at) from ledger.holds h where h.wallet_id = w.id and h.remaining > 0
        ) where id = any($1::bigint[])`,
      values: [int8Array([...new Set(rows.map((each) => each.walletId))])],
    },
  ]
}

/** The wallets with holds that are due, with one of these holds each. */
export function findDueWallets(limit: number): Statement<Hold> {
  return {
    name: 'find-due-wallets',
    text: `select distinct on (wallet_id) * from (
        select ${READ} from ledger.holds
        where remaining > 0 and expires_at <= clock_timestamp() order by expires_at limit $1
      ) due order by wallet_id`,
    values: [limit],
    read: toHold,
  }
}

/** What would go back to the wallet if its due holds were booked now. */
export function sumDue(walletId: bigint): Statement<bigint> {
  return {
    name: 'sum-due-holds',
    text: `select coalesce(sum(remaining), 0)::bigint as sum from ledger.holds
      where wallet_id = $1 and remaining > 0 and expires_at <= clock_timestamp()`,
    values: [walletId],
    read: (row: { sum: bigint }) => row.sum,
  }
}

/** SQL. */
const HOLD_STATES = {
  open: 'remaining > 0 and expires_at > clock_timestamp()',
  captured: `closed_by::text = 'capture'`,
  released: `closed_by::text = 'release'`,
  expired: `(closed_by::text = 'expiry' or remaining > 0 and expires_at <= clock_timestamp())`,
} as const

export interface HoldSearch {
  account: number
  walletId: bigint | undefined
  state: keyof typeof HOLD_STATES | undefined
  /** The last hold of the previous page. */
  after: Pick<Hold, 'createdAtMs' | 'digest'> | undefined
  limit: number
}

/** Not prepared, so that each combination of conditions has its own plan. */
export function searchHolds({
  account,
  walletId,
  state,
  after,
  limit,
}: HoldSearch): Statement<Hold> {
  const conditions = [
    'account = $1',
    walletId === undefined ? '$2::bigint is null' : 'wallet_id = $2',
    after && '(created_at, digest) < ($4, $5)',
    state && HOLD_STATES[state],
  ].filter((each) => each !== undefined)
  return {
    text: `select ${READ} from ledger.holds where ${conditions.join(' and ')}
      order by created_at desc, digest desc limit $3`,
    values: [
      account,
      walletId ?? null,
      limit,
      ...(after ? [new Date(after.createdAtMs), after.digest] : []),
    ],
    read: toHold,
  }
}

export function listOpenHolds(walletId: bigint, limit: number): Statement<Hold> {
  return {
    text: `select ${READ} from ledger.holds where wallet_id = $1 and ${HOLD_STATES.open}
      order by created_at desc, digest desc limit $2`,
    values: [walletId, limit],
    read: toHold,
  }
}

/** Waits for the batch that has locked the wallet, so that no capture that is decided later misses the suspension. */
export function lockWallet(walletId: bigint): pg.QueryConfig {
  return { text: 'select from ledger.wallets where id = $1 for update', values: [walletId] }
}

/** The open holds that were placed in the last days. */
export function suspendHolds(walletId: bigint, days: number): pg.QueryConfig {
  return {
    text: `update ledger.holds set suspended_at = clock_timestamp()
      where wallet_id = $1 and ${HOLD_STATES.open} and suspended_at is null
        and created_at > clock_timestamp() - make_interval(days => $2)`,
    values: [walletId, days],
  }
}

/** Changes no row if the hold is not suspended. */
export function allowHold(walletId: bigint, digest: string): pg.QueryConfig {
  return {
    text: `update ledger.holds set suspended_at = null
      where digest = $2 and wallet_id = $1 and suspended_at is not null and ${HOLD_STATES.open}`,
    values: [walletId, digest],
  }
}
