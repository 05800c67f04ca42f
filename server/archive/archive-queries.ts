/** Statements that archive and restore months. They need the owner of the tables. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { byteaArray, int8Array, textArray } from '../database/binary-array.ts'
import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { Statement } from '../database/statement.ts'
import { OPERATION, toOperation, type OperationRow } from '../ledger/queries.ts'
import type { Head, Operation } from '../ledger/types.ts'
import { boundsOf } from './files.ts'
import type { ArchivedSum, Manifest } from './manifest.ts'

export function tableOf(month: string): string {
  assert.match(month, /^\d{4}-(0[1-9]|1[0-2])$/)
  return `ledger.operations_${month.replace('-', '_')}`
}

export interface StoredMonth {
  month: string
  isAttached: boolean
  /** undefined if the month is not archived. */
  manifestHash: Buffer | undefined
  /** Whether its table exists, attached or not. */
  hasTable: boolean
}

interface StoredMonthRow {
  month: string
  is_attached: boolean
  manifest_hash: Buffer | null
  has_table: boolean
}

/** All months that have a table or are archived, oldest first. */
export const LIST_MONTHS: Statement<StoredMonth> = {
  text: `with tables as (
      select replace(substr(relname, 12), '_', '-') as month, exists (
          select from pg_inherits where inhparent = 'ledger.operations'::regclass and inhrelid = c.oid
        ) as is_attached
      from pg_class c where relnamespace = 'ledger'::regnamespace and relkind = 'r'
        and relname ~ '^operations_[0-9]{4}_[0-9]{2}$'
    )
    select coalesce(t.month, to_char(a.month, 'YYYY-MM')) as month, coalesce(t.is_attached, false) as is_attached,
      a.manifest_hash, t.month is not null as has_table
    from tables t full join ledger.archived_months a on to_char(a.month, 'YYYY-MM') = t.month
    order by 1`,
  read: (row: StoredMonthRow) => ({
    month: row.month,
    isAttached: row.is_attached,
    manifestHash: row.manifest_hash ?? undefined,
    hasTable: row.has_table,
  }),
}

export interface Readiness {
  isInTotals: boolean
  hasStrays: boolean
}

interface ReadinessRow {
  is_in_totals: boolean
  has_strays: boolean
}

/** What must be true before the months that end at this time are archived. */
export function readReadiness(before: Date): Statement<Readiness> {
  return {
    text: `select (select totals_up_to >= $1 from books.progress) as is_in_totals,
      exists (select from ledger.operations_default where created_at < $1) as has_strays`,
    values: [before],
    read: (row: ReadinessRow) => ({
      isInTotals: row.is_in_totals,
      hasStrays: row.has_strays,
    }),
  }
}

export const BEGIN = { text: 'begin; set local idle_in_transaction_session_timeout = 0' }
export const COMMIT = { text: 'commit' }
export const ROLLBACK = { text: 'rollback' }

/** Nobody can add a row to the month, as a server with a wrong clock would, until the transaction ends. */
export function lockMonth(month: string): pg.QueryConfig {
  return { text: `lock table ${tableOf(month)} in share mode` }
}

/** A sort in PostgreSQL is faster than reading the rows through the index. */
export function openMonth(month: string): pg.QueryConfig[] {
  return [
    'begin isolation level repeatable read read only',
    `set local statement_timeout = 0; set local work_mem = '128MB'; set local enable_seqscan = on`,
    `declare archived no scroll cursor for
      select ${OPERATION}, json_strip_nulls(row_to_json(o))::text as line
      from ${tableOf(month)} o order by wallet_id, seq`,
  ].map((text) => ({ text }))
}

/** PostgreSQL writes the line, and reads it when the month is restored. */
export const FETCH_MONTH: Statement<{ operation: Operation; line: string }> = {
  text: 'fetch 5000 from archived',
  read: (row: OperationRow & { line: string }) => ({
    operation: toOperation(row),
    line: row.line,
  }),
}

/** The heads do not count until the month is in archived_months. */
export function writeHeads(month: string, heads: readonly Head[]): pg.QueryConfig {
  return {
    text: `insert into ledger.archived_heads (wallet_id, month, seq, balance, debt, held, head_hash)
      select id, $1::date, seq, balance, debt, held, hash
      from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bytea[])
        as x(id, seq, balance, debt, held, hash)
      on conflict (wallet_id, month) do update set seq = excluded.seq, balance = excluded.balance,
        debt = excluded.debt, held = excluded.held, head_hash = excluded.head_hash`,
    values: [
      `${month}-01`,
      int8Array(heads.map(({ id }) => id)),
      int8Array(heads.map(({ seq }) => seq)),
      int8Array(heads.map(({ balance }) => balance)),
      int8Array(heads.map(({ debt }) => debt)),
      int8Array(heads.map(({ held }) => held)),
      byteaArray(heads.map(({ headHash }) => headHash)),
    ],
  }
}

/** Later heads replace them. */
export function deleteEarlierHeads(month: string, walletIds: readonly bigint[]): pg.QueryConfig {
  return {
    text: 'delete from ledger.archived_heads where wallet_id = any($2::bigint[]) and month < $1::date',
    values: [`${month}-01`, int8Array(walletIds)],
  }
}

export function deleteHeads(month: string, walletIds: readonly bigint[]): pg.QueryConfig {
  return {
    text: 'delete from ledger.archived_heads where wallet_id = any($2::bigint[]) and month = $1::date',
    values: [`${month}-01`, int8Array(walletIds)],
  }
}

export function listSums(month: string): Statement<ArchivedSum> {
  return {
    text: `select account, kind::text, count, amount, debt_change, held_change from ledger.archived_sums
      where month = $1 order by account, kind::text collate "C"`,
    values: [`${month}-01`],
    read: (row: SumRow) => ({
      account: Number(row.account),
      kind: row.kind,
      count: row.count,
      amount: row.amount,
      debtChange: row.debt_change,
      heldChange: row.held_change,
    }),
  }
}

interface SumRow {
  account: bigint
  kind: ArchivedSum['kind']
  count: bigint
  amount: bigint
  debt_change: bigint
  held_change: bigint
}

export const COUNT_HEADS: Statement<number> = {
  text: `select count(distinct wallet_id) as count from ledger.archived_heads
    where month in (select month from ledger.archived_months)`,
  read: (row: { count: bigint }) => Number(row.count),
}

/**
 * Debits and histories wait while this waits for its locks (at most 50 ms each) and commits. All statements are one
 * message, so the server finishes them even if the client stops.
 */
function changePartitionBriefly(statement: string, first = ''): pg.QueryConfig {
  return {
    text: `set local lock_timeout = '50ms'; set local idle_in_transaction_session_timeout = '1s';
      ${first} lock table only ledger.operations in access exclusive mode; ${statement}; commit`,
  }
}

/** Run this last: it commits. */
export function detachMonth(month: string): pg.QueryConfig {
  return changePartitionBriefly(`alter table ledger.operations detach partition ${tableOf(month)}`)
}

export function recordArchivedMonth(
  { month, operations, sums }: Manifest,
  manifestHash: Buffer,
): pg.QueryConfig[] {
  return [
    {
      text: `insert into ledger.archived_months (month, operations, manifest_hash) values ($1, $2, $3)`,
      values: [`${month}-01`, operations, manifestHash],
    },
    {
      text: `insert into ledger.archived_sums (month, account, kind, count, amount, debt_change, held_change)
      select $1::date, account, kind::ledger.kind, count, amount, debt_change, held_change
      from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
        as x(account, kind, count, amount, debt_change, held_change)`,
      values: [
        `${month}-01`,
        int8Array(sums.map(({ account }) => account)),
        textArray(sums.map(({ kind }) => kind)),
        int8Array(sums.map(({ count }) => count)),
        int8Array(sums.map(({ amount }) => amount)),
        int8Array(sums.map(({ debtChange }) => debtChange)),
        int8Array(sums.map(({ heldChange }) => heldChange)),
      ],
    },
  ]
}

export function createMonth(month: string): pg.QueryConfig {
  return { text: `create table ${tableOf(month)} (like ledger.operations including all)` }
}

/** Returns the operations of the new rows, in the order of the lines. */
export function writeOperations(month: string, lines: readonly string[]): Statement<Operation> {
  const table = tableOf(month)
  return {
    text: `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json) returning ${OPERATION}`,
    values: [`[${lines.join(',')}]`],
    read: toOperation,
  }
}

/** With a valid constraint, PostgreSQL does not read the rows again when it attaches them. */
export function constrainMonth(month: string): pg.QueryConfig[] {
  const { from, before } = boundsOf(month)
  const table = tableOf(month)
  return [
    `alter table ${table} drop constraint if exists in_month`,
    `alter table ${table} add constraint in_month
      check (created_at >= '${from.toISOString()}' and created_at < '${before.toISOString()}') not valid`,
    `alter table ${table} validate constraint in_month`,
  ].map((text) => ({ text }))
}

/** Clears the descriptions of wallets that were closed after the month was archived. The files still contain them. */
export function eraseTexts(month: string): pg.QueryConfig {
  return {
    text: `update ${tableOf(month)} o set description = null from ledger.wallets w
      where w.id = o.wallet_id and w.closed_at is not null and o.description is not null`,
  }
}

/**
 * Run this last: it commits. It takes the advisory lock of ledger.erase_texts: a wallet is closed either before this
 * statement, which then erases its texts, or after the commit, when ledger.erase_texts sees the rows of this month.
 */
export function attachMonth(month: string): pg.QueryConfig {
  const { from, before } = boundsOf(month)
  return changePartitionBriefly(
    `alter table ledger.operations attach partition ${tableOf(month)}
      for values from ('${from.toISOString()}') to ('${before.toISOString()}')`,
    `select pg_advisory_xact_lock(${ADVISORY_LOCKS.erasedTexts}); ${eraseTexts(month).text};`,
  )
}

export function deleteArchivedMonth(month: string): pg.QueryConfig[] {
  return [
    { text: 'delete from ledger.archived_sums where month = $1', values: [`${month}-01`] },
    { text: 'delete from ledger.archived_months where month = $1', values: [`${month}-01`] },
  ]
}

export function dropMonthConstraint(month: string): pg.QueryConfig {
  return { text: `alter table ${tableOf(month)} drop constraint if exists in_month` }
}

export function dropMonth(month: string): pg.QueryConfig {
  return { text: `drop table ${tableOf(month)}` }
}

export const SAVEPOINT = { text: 'savepoint partition' }
export const ROLLBACK_TO_SAVEPOINT = { text: 'rollback to savepoint partition' }
