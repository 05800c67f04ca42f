/** Statements that batches and reads of wallets use. */
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import { int8Array } from '../database/binary-array.ts'
import type { Mismatch } from './post/decide-types.ts'
import type { RunningBalance, Kind, Operation, WalletState } from './types.ts'

interface WalletRow {
  id: bigint
  balance: bigint
  debt: bigint
  held: bigint
  seq: bigint
  next_expiry: Date | null
  is_active: boolean
  is_closed: boolean
  has_spend_limits: boolean
  head_hash: Buffer
}
export const WALLET = `id, balance, debt, held, seq, next_expiry, is_active, closed_at is not null as is_closed,
  has_spend_limits, head_hash`

export function toWallet(row: WalletRow): WalletState {
  const { id, balance, debt, held, seq } = row
  return {
    id,
    balance,
    debt,
    held,
    seq,
    nextExpiryMs: row.next_expiry && row.next_expiry.getTime(),
    isActive: row.is_active,
    isClosed: row.is_closed,
    hasSpendLimits: row.has_spend_limits,
    headHash: row.head_hash,
  }
}

export interface LockedWalletRow extends WalletRow {
  /** The row's physical location, which does not change while the row is locked. */
  place: string
}

/** Locks in id order, so that two batches never deadlock. */
export function lockWallets(ids: readonly bigint[], mode: 'skip_locked' | 'wait'): pg.QueryConfig {
  const skip = mode === 'skip_locked' ? ' skip locked' : ''
  return {
    name: `lock-wallets-${mode}`,
    text: `select ${WALLET}, ctid::text as place
      from ledger.wallets where id = any($1::bigint[]) order by id for update${skip}`,
    values: [int8Array(ids)],
  }
}

export interface ClockRow {
  now_ms: bigint
  is_paused: boolean
}

/** SQL: the time of a new operation, in milliseconds: the clock of the database, but never before `not_before`. */
export const NOW_MS = `(extract(epoch from
    greatest(clock_timestamp(), (select not_before from ledger.clock))) * 1000)::bigint`

export interface Clock {
  now: Date
  /** No batch that starts now gives its operations an earlier time. */
  notBefore: Date
}

/**
 * Advances not_before, also while the clock of the database is behind it: then all new operations get this time, and
 * the totals include only operations before it. It has millisecond precision, like the times of operations.
 */
export const ADVANCE_CLOCK: Statement<Clock> = {
  text: `update ledger.clock set not_before =
      greatest(date_trunc('milliseconds', clock_timestamp()), not_before + interval '1 millisecond')
    returning not_before, clock_timestamp() as now`,
  read: readClock,
}

export const READ_NOT_BEFORE: Statement<Clock> = {
  text: 'select not_before, clock_timestamp() as now from ledger.clock',
  read: readClock,
}

function readClock(row: { not_before: Date; now: Date }): Clock {
  return { now: row.now, notBefore: row.not_before }
}

/** The time, and whether writes are paused, both read after the locks were taken. */
export const READ_CLOCK: pg.QueryConfig = {
  name: 'read-clock',
  text: `select ${NOW_MS} as now_ms, (select paused_at is not null from ledger.pause) as is_paused`,
}

export interface RunningBalanceRow {
  id: bigint
  /** null if another transaction holds the lock. */
  balance: bigint | null
  /** null while the account is getting a limit: its balance is kept already, but no limit applies. */
  credit_limit: bigint | null
}

/**
 * Locks the accounts that keep a running balance, for their credit limit; the balances of other accounts are sums and
 * need no lock. A statement that had to wait reads the row again, so it sees a limit that was changed or removed
 * meanwhile.
 */
export function lockRunningBalances(
  accounts: readonly number[],
  mode: 'skip_locked' | 'wait',
): pg.QueryConfig {
  const lock = `select id, balance, credit_limit from ledger.accounts
    where id = any($1::bigint[]) and balance is not null order by id for update`
  const lockFree = `with held as materialized (${lock} skip locked)
    select a.id, held.balance, coalesce(held.credit_limit, a.credit_limit) as credit_limit
    from ledger.accounts a left join held using (id)
    where a.id = any($1::bigint[]) and a.balance is not null`
  const text = mode === 'wait' ? lock : lockFree
  return { name: `lock-running-balances-${mode}`, text, values: [int8Array(accounts)] }
}

/** undefined if no limit applies. */
export function toRunningBalance(row: RunningBalanceRow): RunningBalance | undefined {
  const { id, balance, credit_limit: creditLimit } = row
  return creditLimit === null
    ? undefined
    : { account: Number(id), balance: balance ?? 0n, creditLimit }
}

/** A client that repeats a pair with other values in a loop must not fill the table. */
const MISMATCHES_MAX = 200

/** Keeps about the first 200 per pair. */
export function writeMismatches(mismatches: readonly Mismatch[]): pg.QueryConfig {
  return {
    name: 'write-mismatches',
    text: `insert into ledger.mismatches (digest, wallet_id, kind, amount, differs)
      select digest, wallet_id, kind, amount, string_to_array(differs, ' ')
      from unnest($1::uuid[], $2::bigint[], $3::ledger.kind[], $4::bigint[], $5::text[])
        as x(digest, wallet_id, kind, amount, differs)
      where not exists (
        select from ledger.mismatches m where m.digest = x.digest offset ${MISMATCHES_MAX - 1} limit 1
      )`,
    values: [
      mismatches.map((each) => each.digest),
      mismatches.map((each) => each.walletId),
      mismatches.map((each) => each.kind),
      mismatches.map((each) => each.amountMinor),
      mismatches.map((each) => each.differs.join(' ')),
    ],
  }
}

export function readWallets(ids: readonly bigint[]): Statement<WalletState> {
  return {
    name: 'read-wallets',
    text: `select ${WALLET} from ledger.wallets where id = any($1::bigint[])`,
    values: [int8Array(ids)],
    read: toWallet,
  }
}

export const OPERATION = `wallet_id, seq, amount, balance_after, created_at, counter_account, kind, debt_change,
  debt_after, held_change, held_after, target, reference_type, reference_id, description, hash`

export interface OperationRow {
  wallet_id: bigint
  seq: bigint
  amount: bigint
  balance_after: bigint
  created_at: Date
  counter_account: bigint
  kind: Kind
  debt_change: bigint | null
  debt_after: bigint | null
  held_change: bigint | null
  held_after: bigint | null
  target: string | null
  reference_type: string
  reference_id: string
  description: string | null
  hash: Buffer
}

export function toOperation(row: OperationRow): Operation {
  return {
    walletId: row.wallet_id,
    seq: row.seq,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balance_after,
    debtChange: row.debt_change ?? 0n,
    debtAfter: row.debt_after ?? 0n,
    heldChange: row.held_change ?? 0n,
    heldAfter: row.held_after ?? 0n,
    counterAccount: Number(row.counter_account),
    target: row.target && row.target.replaceAll('-', ''),
    referenceType: row.reference_type,
    referenceId: row.reference_id,
    description: row.description,
    hash: row.hash,
    createdAtMs: row.created_at.getTime(),
  }
}

const readId = (row: { id: bigint }) => row.id

export const OPEN_WALLET: Statement<bigint> = {
  text: 'insert into ledger.wallets default values returning id',
  read: readId,
}

export function openAccount(name: string, creditLimit: bigint | null): Statement<bigint> {
  return {
    text: `insert into ledger.accounts (name, credit_limit, balance)
      values ($1, $2::bigint, case when $2::bigint is null then null else 0 end) returning id`,
    values: [name, creditLimit],
    read: readId,
  }
}

/** Closes an empty wallet for good. Returns no row if it is not empty. */
export function closeWallet(walletId: bigint): pg.QueryConfig {
  return {
    text: `update ledger.wallets set closed_at = coalesce(closed_at, now())
      where id = $1 and balance = 0 and debt = 0 and held = 0 returning id`,
    values: [walletId],
  }
}

/** Clears the descriptions and the metadata of a closed wallet. */
export function eraseTexts(walletId: bigint): pg.QueryConfig {
  return { text: 'select ledger.erase_texts($1)', values: [walletId] }
}

/** Changes no row if the wallet is in that state already. */
export function setWalletActive(walletId: bigint, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update ledger.wallets set is_active = $2 where id = $1 and is_active <> $2 returning id',
    values: [walletId, isActive],
  }
}
