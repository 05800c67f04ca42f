/** Statements of the continuous verifier. */
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import { ARCHIVED_BEFORE } from '../ledger/partitions/archived-queries.ts'

export interface VerificationState {
  balancedAt: Date | null
  balancedOperations: bigint | null
  verifiedAt: Date | null
  verifiedOperations: bigint | null
  fault: string | null
  faultAt: Date | null
  roundBeganAt: Date | null
  roundOperations: bigint
  roundFault: string | null
  /** How far the current round is; null if no round is in progress. */
  position: unknown
  now: Date
}

interface VerificationRow {
  balanced_at: Date | null
  balanced_operations: bigint | null
  verified_at: Date | null
  verified_operations: bigint | null
  fault: string | null
  fault_at: Date | null
  round_began_at: Date | null
  round_operations: bigint
  round_fault: string | null
  position: unknown
  now: Date
}

function readState(row: VerificationRow): VerificationState {
  return {
    balancedAt: row.balanced_at,
    balancedOperations: row.balanced_operations,
    verifiedAt: row.verified_at,
    verifiedOperations: row.verified_operations,
    fault: row.fault,
    faultAt: row.fault_at,
    roundBeganAt: row.round_began_at,
    roundOperations: row.round_operations,
    roundFault: row.round_fault,
    position: row.position,
    now: row.now,
  }
}

const COLUMNS = `balanced_at, balanced_operations, verified_at, verified_operations, fault, fault_at, round_began_at,
  round_operations, round_fault, position, now() as now`

export const READ_VERIFICATION: Statement<VerificationState> = {
  text: `select ${COLUMNS} from books.verification`,
  read: readState,
}

export function beginRound(position: object): pg.QueryConfig {
  return {
    text: `update books.verification set round_began_at = now(), round_operations = 0, round_fault = null, position = $1`,
    values: [JSON.stringify(position)],
  }
}

export function saveRound(position: object, operations: number): pg.QueryConfig {
  return {
    text: `update books.verification set position = $1, round_operations = round_operations + $2`,
    values: [JSON.stringify(position), operations],
  }
}

/** Ends a round. If it found no fault, it counts as a verification and clears the fault of an earlier round. */
export const END_ROUND: pg.QueryConfig = {
  text: `update books.verification set position = null,
      verified_at = case when round_fault is null then round_began_at else verified_at end,
      verified_operations = case when round_fault is null then round_operations else verified_operations end,
      fault = case when round_fault is null then null else fault end,
      fault_at = case when round_fault is null then null else fault_at end`,
}

export function saveBalance(at: Date, operations: bigint): pg.QueryConfig {
  return {
    text: 'update books.verification set balanced_at = $1, balanced_operations = $2',
    values: [at, operations],
  }
}

/**
 * Keeps the first fault. The fault is also stored for the current round, so that the end of this round does not clear
 * it.
 */
export function saveFault(fault: string): pg.QueryConfig {
  return {
    text: `update books.verification set fault_at = coalesce(fault_at, now()), fault = coalesce(fault, $1),
        round_fault = coalesce(round_fault, $1)`,
    values: [fault],
  }
}

export interface AccountBalance {
  id: bigint
  balance: bigint
}

/** The running balances of ledger accounts with a credit limit. */
export const READ_RUNNING_BALANCES: Statement<AccountBalance> = {
  text: 'select id, balance from ledger.accounts where credit_limit is not null order by id',
  read: (row: AccountBalance) => row,
}

export interface WalletTotals {
  operations: bigint
  balance: bigint
  debt: bigint
  held: bigint
}

export interface WalletPageTotals extends WalletTotals {
  /** null if there are no more wallets. */
  lastId: bigint | null
}

export function readWalletPageTotals(afterId: bigint, limit: number): Statement<WalletPageTotals> {
  return {
    name: 'read-wallet-page-totals',
    text: `select max(id) as last_id, coalesce(sum(seq), 0)::bigint as operations,
        coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(debt), 0)::bigint as debt,
        coalesce(sum(held), 0)::bigint as held
      from (select id, seq, balance, debt, held from ledger.wallets where id > $1 order by id limit $2) page`,
    values: [afterId, limit],
    read: ({ last_id: lastId, ...totals }: WalletTotals & { last_id: bigint | null }) => {
      return { lastId, ...totals }
    },
  }
}

/** Times have millisecond precision, like those of the operations. */
export const READ_NOW: Statement<Date> = {
  text: `select date_trunc('milliseconds', now()) as now`,
  read: (row: { now: Date }) => row.now,
}

export interface HourBounds {
  firstHour: Date | null
  totalsUpTo: Date
}

export const FIND_HOURS: Statement<HourBounds> = {
  text: `select (
      select hour from books.hours where hour >= ${ARCHIVED_BEFORE} order by hour limit 1
    ) as first_hour, totals_up_to
    from books.progress`,
  read: (row: { first_hour: Date | null; totals_up_to: Date }) => ({
    firstHour: row.first_hour,
    totalsUpTo: row.totals_up_to,
  }),
}
