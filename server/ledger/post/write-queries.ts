/** Writes what a batch decided. */
import type pg from 'pg'
import { byteaArray, int8Array, textArray, uuidArray } from '../../database/binary-array.ts'
import type { BatchOutput, DigestedRequest, RefundTotal } from './decide-types.ts'
import type { Decision } from '../types.ts'

/** The columns of a key that only refunds, holds and what changes holds have. */
const TERMS: readonly (readonly [
  column: string,
  type: string,
  value: (of: Decision) => unknown,
])[] = [
  ['target', 'uuid', ({ refund, holdChange }) => (refund ?? holdChange)?.target ?? null],
  ['refundable', 'bigint', ({ refund }) => refund?.refundable ?? null],
  ['held_after', 'bigint', heldAfterOf],
  [
    'released',
    'bigint',
    ({ holdChange, refusal }) => (refusal === null && holdChange?.released) || null,
  ],
  ['expires_at', 'timestamptz', ({ hold }) => hold && new Date(hold.expiresAtMs)],
  ['is_final', 'boolean', ({ holdChange }) => holdChange?.isFinal ?? null],
  ['is_amount_omitted', 'boolean', (of) => (of.refund ?? of.holdChange)?.isAmountOmitted || null],
  ['is_balance_hidden', 'boolean', (of) => (of.refund ?? of.holdChange)?.isBalanceHidden || null],
]

/** How much of the hold is left. */
function heldAfterOf({ hold, holdChange, refusal, amountMinor }: Decision): bigint | null {
  return hold && refusal === null ? amountMinor : (holdChange?.held ?? null)
}

/**
 * Writes everything that a batch decided, in one statement. Keys are inserted in sorted order, because two batches that
 * insert the same pairs in opposite order would deadlock. A pair that another batch decided meanwhile violates the
 * primary key and aborts the transaction. Wallets are updated by the physical location that the lock returned; if one
 * of them is not updated, the cast in the last part fails, because SQL itself cannot raise an error. Arrays of rare
 * values (debt, refusals) may be empty; unnest fills them with null. A batch without refunds and held money has no
 * parameters for them.
 */
function writeBatchText(isExtended: boolean): string {
  const only = (text: string) => (isExtended ? `, ${text}` : '')
  const terms = only(TERMS.map(([column]) => column).join())
  const parametersFrom = (first: number) =>
    only(TERMS.map(([, type], at) => `$${first + at}::${type}[]`).join())
  return `with posted as materialized (
    select x.*, kind_name::ledger.kind as kind
    from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::bytea[]
        ${parametersFrom(28)} ${only('$36::bigint[], $37::bigint[], $38::bigint[]')})
      as x(digest, wallet_id, seq, amount, balance_after, counter_account, kind_name, debt_change, debt_after,
        reference_type, reference_id, description, hash ${terms} ${only('moved, held_change, wallet_held')})
  ), keys as (
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, refusal, kind, amount, balance_after
      ${terms})
    select digest, wallet_id, seq, $1::timestamptz, null, kind,
      ${isExtended ? 'moved' : 'abs(ledger.account_change(amount, debt_change, 0))'}, balance_after ${terms}
    from posted
    union all
    select digest, wallet_id, seq, $1::timestamptz, refusal::ledger.refusal, kind::ledger.kind, nullif(amount, 0), null
      ${terms}
    from unnest($15::uuid[], $16::bigint[], $17::bigint[], $18::text[], $19::text[], $20::bigint[]
        ${parametersFrom(39)})
      as x(digest, wallet_id, seq, refusal, kind, amount ${terms})
    order by digest
  ), operations as (
    insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
      debt_change, debt_after, reference_type, reference_id, description, hash
      ${only('target, held_change, held_after')})
    select wallet_id, seq, amount, balance_after, $1, counter_account, kind,
      debt_change, debt_after, reference_type, reference_id, description, hash
      ${only('target, held_change, wallet_held')}
    from posted
  ), wallets as (
    update ledger.wallets w set balance = x.balance, debt = x.debt, seq = x.seq, head_hash = x.head_hash
      ${only('held = x.held')}
    from unnest($21::text[], $22::bigint[], $23::bigint[], $24::bigint[], $25::bytea[] ${only('$47::bigint[]')})
      as x(place, balance, debt, seq, head_hash ${only('held')})
    where w.ctid = x.place::tid and w.seq < x.seq
    returning 1
  ), accounts as (
    update ledger.accounts a set balance = a.balance + x.change
    from unnest($26::bigint[], $27::bigint[]) as x(id, change)
    where a.id = x.id and a.balance is not null
  )
  select ('only ' || count(*) || ' wallets were updated')::int from wallets
    having count(*) <> cardinality($21::text[])`
}
const WRITE_BATCH = writeBatchText(false)
const WRITE_EXTENDED_BATCH = writeBatchText(true)

export function writeBatch(
  output: BatchOutput,
  nowMs: number,
  places: ReadonlyMap<bigint, string>,
): pg.QueryConfig {
  const { operations, accountChanges } = output
  const posted = output.decisions.filter((each) => each.refusal === null)
  const refused = output.decisions.filter((each) => each.refusal !== null)
  const wallets = [...output.wallets.values()]
  const hasDebt = operations.some((each) => each.debtChange !== 0n || each.debtAfter !== 0n)
  const indebted = hasDebt ? operations : []
  const isExtended =
    output.decisions.some((each) => each.refund ?? each.hold ?? each.holdChange) ||
    operations.some((each) => each.heldAfter !== 0n)
  return {
    name: isExtended ? 'write-extended-batch' : 'write-batch',
    text: isExtended ? WRITE_EXTENDED_BATCH : WRITE_BATCH,
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
      int8Array([...accountChanges.keys()]),
      int8Array([...accountChanges.values()]),
      ...(isExtended ? extensionOf(posted, refused, output) : []),
    ],
  }
}

function extensionOf(
  posted: readonly Decision[],
  refused: readonly Decision[],
  { operations, wallets }: BatchOutput,
): unknown[] {
  const termsOf = (decisions: readonly Decision[]) =>
    TERMS.map(([, , value]) => decisions.map(value))
  return [
    ...termsOf(posted),
    int8Array(posted.map((each) => each.amountMinor)),
    int8Array(operations.map((each) => each.heldChange || null)),
    int8Array(operations.map((each) => each.heldAfter || null)),
    ...termsOf(refused),
    int8Array([...wallets.values()].map((each) => each.held)),
  ]
}

/** A total that another transaction has written meanwhile violates the primary key. */
export function writeRefunds(refunds: readonly RefundTotal[]): pg.QueryConfig {
  return {
    name: 'write-refunds',
    text: `insert into ledger.refunds (debit, refund, wallet_id, debited, refunded)
      select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[]) order by 1, 5`,
    values: [
      uuidArray(refunds.map((each) => each.debit)),
      uuidArray(refunds.map((each) => each.refund)),
      int8Array(refunds.map((each) => each.walletId)),
      int8Array(refunds.map((each) => each.debited)),
      int8Array(refunds.map((each) => each.refunded)),
    ],
  }
}

/** What client apps stored with their operations. It is in no hash, so that it can be erased. */
export function writeMetadata(requests: readonly DigestedRequest[]): pg.QueryConfig {
  return {
    name: 'write-metadata',
    text: `insert into ledger.metadata (digest, wallet_id, data)
      select digest, wallet_id, data::json from unnest($1::uuid[], $2::bigint[], $3::text[]) as x(digest, wallet_id, data)
      order by digest`,
    values: [
      uuidArray(requests.map((each) => each.digest)),
      int8Array(requests.map((each) => each.walletId)),
      textArray(requests.map((each) => each.metadata ?? null)),
    ],
  }
}
