/** Statements that batches and reads of wallets use. */
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import { byteaArray, int8Array, textArray, uuidArray } from '../database/binary-array.ts'
import type { BatchOutput, Mismatch } from './decide.ts'
import type { Allowance, Kind, Operation, WalletState } from './types.ts'

interface WalletRow {
  id: bigint
  balance: bigint
  debt: bigint
  seq: bigint
  is_active: boolean
  head_hash: Buffer
}
export const WALLET = 'id, balance, debt, seq, is_active, head_hash'

export function toWallet(row: WalletRow): WalletState {
  const { id, balance, debt, seq } = row
  return { id, balance, debt, seq, isActive: row.is_active, headHash: row.head_hash }
}

export interface LockedWalletRow extends WalletRow {
  /** The row's physical location, which does not change while the row is locked. */
  place: string
}

/** Locks in id order, so that two batches never deadlock. */
export function lockWallets(ids: readonly bigint[], mode: 'free' | 'wait'): pg.QueryConfig {
  const skip = mode === 'free' ? ' skip locked' : ''
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

/** The database's clock, and whether writes are paused, both read after the locks were taken. */
export const READ_CLOCK: pg.QueryConfig = {
  name: 'read-clock',
  text: `select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
    (select paused_at is not null from ledger.pause) as is_paused`,
}

export interface AllowanceRow {
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
export function lockAllowances(accounts: readonly number[], mode: 'free' | 'wait'): pg.QueryConfig {
  const lock = `select id, balance, credit_limit from ledger.accounts
    where id = any($1::bigint[]) and balance is not null order by id for update`
  const lockFree = `with held as materialized (${lock} skip locked)
    select a.id, held.balance, coalesce(held.credit_limit, a.credit_limit) as credit_limit
    from ledger.accounts a left join held using (id)
    where a.id = any($1::bigint[]) and a.balance is not null`
  const text = mode === 'wait' ? lock : lockFree
  return { name: `lock-allowances-${mode}`, text, values: [int8Array(accounts)] }
}

/** undefined if no limit applies. */
export function toAllowance(row: AllowanceRow): Allowance | undefined {
  const { id, balance, credit_limit: creditLimit } = row
  return creditLimit === null
    ? undefined
    : { account: Number(id), balance: balance ?? 0n, creditLimit }
}

/**
 * Writes everything that a batch decided, in one statement. Keys are inserted in sorted order, because two batches that
 * insert the same pairs in opposite order would deadlock. A pair that another batch decided meanwhile violates the
 * primary key and aborts the transaction. Wallets are updated by the physical location that the lock returned; if one of
 * them is not updated, the cast in the last part fails, because SQL itself cannot raise an error. Arrays of rare values
 * (debt, refusals) may be empty; unnest fills them with null.
 */
const WRITE_BATCH = `with posted as materialized (
    select x.*, kind_name::ledger.kind as kind
    from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::bytea[])
      as x(digest, wallet_id, seq, amount, balance_after, counter_account, kind_name, debt_change, debt_after,
        reference_type, reference_id, description, hash)
  ), keys as (
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, refusal, kind, amount, balance_after)
    select digest, wallet_id, seq, $1::timestamptz, null, kind, abs(amount - coalesce(debt_change, 0)), balance_after
    from posted
    union all
    select digest, wallet_id, seq, $1::timestamptz, refusal::ledger.refusal, kind::ledger.kind, amount, null
    from unnest($15::uuid[], $16::bigint[], $17::bigint[], $18::text[], $19::text[], $20::bigint[])
      as x(digest, wallet_id, seq, refusal, kind, amount)
    order by digest
  ), operations as (
    insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
      debt_change, debt_after, reference_type, reference_id, description, hash)
    select wallet_id, seq, amount, balance_after, $1, counter_account, kind,
      debt_change, debt_after, reference_type, reference_id, description, hash
    from posted
  ), wallets as (
    update ledger.wallets w set balance = x.balance, debt = x.debt, seq = x.seq, head_hash = x.head_hash
    from unnest($21::text[], $22::bigint[], $23::bigint[], $24::bigint[], $25::bytea[])
      as x(place, balance, debt, seq, head_hash)
    where w.ctid = x.place::tid and w.seq < x.seq
    returning 1
  ), accounts as (
    update ledger.accounts a set balance = a.balance + x.change
    from unnest($26::bigint[], $27::bigint[]) as x(id, change)
    where a.id = x.id and a.balance is not null
  )
  select ('only ' || count(*) || ' wallets were updated')::int from wallets
    having count(*) <> cardinality($21::text[])`

export function writeBatch(
  output: BatchOutput,
  nowMs: number,
  places: ReadonlyMap<bigint, string>,
): pg.QueryConfig {
  const { operations, settlements } = output
  const posted = output.decisions.filter((each) => each.refusal === null)
  const refused = output.decisions.filter((each) => each.refusal !== null)
  const wallets = [...output.wallets.values()]
  const hasDebt = operations.some((each) => each.debtChange !== 0n || each.debtAfter !== 0n)
  const indebted = hasDebt ? operations : []
  return {
    name: 'write-batch',
    text: WRITE_BATCH,
    values: [
      new Date(nowMs).toISOString(),
      uuidArray(posted.map((each) => each.digest)),
      int8Array(operations.map((each) => each.walletId)),
      int8Array(operations.map((each) => each.seq)),
      int8Array(operations.map((each) => each.amount)),
      int8Array(operations.map((each) => each.balanceAfter)),
      int8Array(operations.map((each) => each.counterAccount)),
      textArray(operations.map((each) => each.kind)),
      int8Array(indebted.map((each) => each.debtChange || null)),
      int8Array(indebted.map((each) => each.debtAfter || null)),
      textArray(operations.map((each) => each.referenceType)),
      textArray(operations.map((each) => each.referenceId)),
      textArray(operations.map((each) => each.description)),
      byteaArray(operations.map((each) => each.hash)),
      uuidArray(refused.map((each) => each.digest)),
      int8Array(refused.map((each) => each.walletId)),
      int8Array(refused.map((each) => each.seq)),
      textArray(refused.map((each) => each.refusal)),
      textArray(refused.map((each) => each.kind)),
      int8Array(refused.map((each) => each.amountMinor)),
      textArray(wallets.map((each) => places.get(each.id) ?? null)),
      int8Array(wallets.map((each) => each.balance)),
      int8Array(wallets.map((each) => each.debt)),
      int8Array(wallets.map((each) => each.seq)),
      byteaArray(wallets.map((each) => each.headHash)),
      int8Array([...settlements.keys()]),
      int8Array([...settlements.values()]),
    ],
  }
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
  debt_after, reference_type, reference_id, description, hash`

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
    counterAccount: Number(row.counter_account),
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

export function setWalletActive(walletId: bigint, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update ledger.wallets set is_active = $2 where id = $1 returning id',
    values: [walletId, isActive],
  }
}
