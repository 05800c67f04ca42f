/** Every statement of the ledger. Names make them prepared statements: parsed and planned once per connection. */
import type pg from 'pg'
import type { BatchOutput, Mismatch } from './decide.ts'
import type { Allowance, Decision, Kind, Operation, Refusal, WalletState } from './types.ts'

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
  now_ms: bigint
}

/** Locks in id order, so that two batches never wait for each other in a circle. */
export function lockWallets(ids: readonly bigint[], mode: 'free' | 'wait'): pg.QueryConfig {
  const skip = mode === 'free' ? ' skip locked' : ''
  return {
    name: `lock-wallets-${mode}`,
    text: `select ${WALLET}, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
      from ledger.wallets where id = any($1::bigint[]) order by id for update${skip}`,
    values: [ids],
  }
}

export interface AllowanceRow {
  id: bigint
  /** null: somebody else holds it. */
  balance: bigint | null
  credit_limit: bigint
}

/** Locks the accounts that have a credit limit; the others are only sums and need no lock. */
export function lockAllowances(accounts: readonly number[], mode: 'free' | 'wait'): pg.QueryConfig {
  const skip = mode === 'free' ? ' skip locked' : ''
  return {
    name: `lock-allowances-${mode}`,
    text: `with held as materialized (
        select id, balance from ledger.accounts
        where id = any($1::bigint[]) and credit_limit is not null order by id for update${skip}
      )
      select a.id, held.balance, a.credit_limit from ledger.accounts a left join held using (id)
      where a.id = any($1::bigint[]) and a.credit_limit is not null`,
    values: [accounts],
  }
}

export function toAllowance(row: AllowanceRow): Allowance {
  return { account: Number(row.id), balance: row.balance ?? 0n, creditLimit: row.credit_limit }
}

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

export function findDecisions(digests: readonly string[]): pg.QueryConfig {
  return {
    name: 'find-decisions',
    text: `select k.digest, k.wallet_id, k.seq, k.decided_at, k.refusal, coalesce(k.kind, o.kind) as kind,
        coalesce(k.amount, abs(o.amount - coalesce(o.debt_change, 0))) as amount, o.balance_after
      from ledger.operation_keys k
      left join ledger.operations o on k.refusal is null
        and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
      where k.digest = any($1::uuid[])`,
    values: [digests],
  }
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

/**
 * Everything that a batch decided, in one statement. Keys go in sorted: two batches that insert the same pairs in
 * opposite order would wait for each other. A pair that another batch decided meanwhile ends the transaction.
 */
export function writeBatch(output: BatchOutput, nowMs: number): pg.QueryConfig {
  const keys = output.decisions.toSorted((a, b) => (a.digest < b.digest ? -1 : 1))
  const refused = (each: Decision) => each.refusal !== null
  const { operations } = output
  const wallets = [...output.wallets.values()]
  return {
    name: 'write-batch',
    text: `with keys as (
        insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, refusal, kind, amount)
        select digest, wallet_id, seq, $1, refusal, kind, amount
        from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::ledger.refusal[], $6::ledger.kind[], $7::bigint[])
          as x(digest, wallet_id, seq, refusal, kind, amount)
        on conflict do nothing returning 1
      ), operations as (
        insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
          debt_change, debt_after, reference_type, reference_id, description, hash)
        select wallet_id, seq, amount, balance_after, $1, counter_account, kind,
          debt_change, debt_after, reference_type, reference_id, description, hash
        from unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::ledger.kind[],
            $14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::bytea[])
          as x(wallet_id, seq, amount, balance_after, counter_account, kind, debt_change, debt_after,
            reference_type, reference_id, description, hash)
      ), wallets as (
        update ledger.wallets w
        set balance = x.balance, debt = x.debt, seq = x.seq, head_hash = x.head_hash
        from unnest($20::bigint[], $21::bigint[], $22::bigint[], $23::bigint[], $24::bytea[])
          as x(id, balance, debt, seq, head_hash)
        where w.id = x.id
      ), accounts as (
        update ledger.accounts a set balance = a.balance + x.change
        from unnest($25::bigint[], $26::bigint[]) as x(id, change)
        where a.id = x.id and a.credit_limit is not null
      )
      select ledger.require_all((select count(*) from keys), $27)`,
    values: [
      new Date(nowMs).toISOString(),
      keys.map((each) => each.digest),
      keys.map((each) => each.walletId),
      keys.map((each) => each.seq),
      keys.map((each) => each.refusal),
      keys.map((each) => (refused(each) ? each.kind : null)),
      keys.map((each) => (refused(each) ? each.amountMinor : null)),
      operations.map((each) => each.walletId),
      operations.map((each) => each.seq),
      operations.map((each) => each.amount),
      operations.map((each) => each.balanceAfter),
      operations.map((each) => each.counterAccount),
      operations.map((each) => each.kind),
      operations.map((each) => each.debtChange || null),
      operations.map((each) => each.debtAfter || null),
      operations.map((each) => each.referenceType),
      operations.map((each) => each.referenceId),
      operations.map((each) => each.description),
      operations.map((each) => each.hash),
      wallets.map((each) => each.id),
      wallets.map((each) => each.balance),
      wallets.map((each) => each.debt),
      wallets.map((each) => each.seq),
      wallets.map((each) => each.headHash),
      [...output.settlements.keys()],
      [...output.settlements.values()],
      keys.length,
    ],
  }
}

export function writeMismatches(mismatches: readonly Mismatch[]): pg.QueryConfig {
  return {
    name: 'write-mismatches',
    text: `insert into ledger.mismatches (digest, wallet_id, kind, amount, differs)
      select digest, wallet_id, kind, amount, string_to_array(differs, ' ')
      from unnest($1::uuid[], $2::bigint[], $3::ledger.kind[], $4::bigint[], $5::text[])
        as x(digest, wallet_id, kind, amount, differs)`,
    values: [
      mismatches.map((each) => each.digest),
      mismatches.map((each) => each.walletId),
      mismatches.map((each) => each.kind),
      mismatches.map((each) => each.amountMinor),
      mismatches.map((each) => each.differs.join(' ')),
    ],
  }
}

export function readWallets(ids: readonly bigint[]): pg.QueryConfig {
  return {
    name: 'read-wallets',
    text: `select ${WALLET} from ledger.wallets where id = any($1::bigint[])`,
    values: [ids],
  }
}

const OPERATION = `wallet_id, seq, amount, balance_after, created_at, counter_account, kind, debt_change,
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

export function readHistory(walletId: bigint, upToSeq: bigint, limit: number): pg.QueryConfig {
  return {
    name: 'read-history',
    text: `select ${OPERATION} from ledger.operations where wallet_id = $1 and seq <= $2 order by seq desc limit $3`,
    values: [walletId, upToSeq, limit],
  }
}

export const OPEN_WALLET = 'insert into ledger.wallets default values returning id'

export function openAccount(name: string, creditLimit: bigint | null): pg.QueryConfig {
  return {
    text: `insert into ledger.accounts (name, credit_limit, balance)
      values ($1, $2::bigint, case when $2::bigint is null then null else 0 end) returning id`,
    values: [name, creditLimit],
  }
}

export function setWalletActive(walletId: bigint, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update ledger.wallets set is_active = $2 where id = $1 returning id',
    values: [walletId, isActive],
  }
}

export const PREPARE_PARTITIONS = 'select ledger.prepare_partitions()'
