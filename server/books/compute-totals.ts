/**
 * Computes the totals of a period from its operations, in slices, so that no statement takes long, however many
 * operations there are.
 */
import { many, type Database } from '../database/statement.ts'
import { computeSliceTotals, type AccountKindTotals } from './totals-queries.ts'

/** Called before each slice or page of a long calculation; it may end the calculation with an exception. */
export type OnStep = () => Promise<void>
export const goOn: OnStep = async () => undefined

/** A slice that takes longer than this is followed by a shorter one. */
const SLICE_MS = 500
const SLICE_MIN_MS = 100

/** `before` is undefined for all newer operations. */
export async function computeTotals(
  db: Database,
  period: { from: Date; before: Date | undefined },
  options: { firstSliceMs: number; onStep: OnStep },
): Promise<AccountKindTotals[]> {
  const totals = new Map<string, AccountKindTotals>()
  const endMs = period.before?.getTime() ?? Date.now()
  let sliceMs = options.firstSliceMs
  for (let fromMs = period.from.getTime(); fromMs < endMs;) {
    await options.onStep()
    const startMs = performance.now()
    const toMs = Math.min(endMs, fromMs + Math.ceil(sliceMs))
    addTo(totals, await many(db, computeSliceTotals(new Date(fromMs), new Date(toMs))))
    const isQuick = performance.now() - startMs < SLICE_MS
    sliceMs = Math.max(SLICE_MIN_MS, isQuick ? sliceMs * 2 : sliceMs / 2)
    fromMs = toMs
  }
  if (period.before === undefined) {
    const from = new Date(Math.max(endMs, period.from.getTime()))
    addTo(totals, await many(db, computeSliceTotals(from, undefined)))
  }
  return [...totals.values()]
}

/** The differences between two lists of totals, in the order of accounts. */
export function subtract(
  totals: readonly AccountKindTotals[],
  others: readonly AccountKindTotals[],
): AccountKindTotals[] {
  const differences = new Map<string, AccountKindTotals>()
  addTo(differences, totals)
  addTo(
    differences,
    others.map((each) => ({
      ...each,
      count: -each.count,
      amount: -each.amount,
      debtChange: -each.debtChange,
      heldChange: -each.heldChange,
    })),
  )
  return [...differences.values()]
    .filter(({ count, amount, debtChange, heldChange }) =>
      [count, amount, debtChange, heldChange].some((each) => each !== 0n),
    )
    .toSorted((a, b) => Number(a.account - b.account))
}

function addTo(totals: Map<string, AccountKindTotals>, rows: readonly AccountKindTotals[]) {
  for (const row of rows) {
    const name = `${row.account} ${row.kind}`
    const before = totals.get(name) ?? { count: 0n, amount: 0n, debtChange: 0n, heldChange: 0n }
    totals.set(name, {
      account: row.account,
      kind: row.kind,
      count: before.count + row.count,
      amount: before.amount + row.amount,
      debtChange: before.debtChange + row.debtChange,
      heldChange: before.heldChange + row.heldChange,
    })
  }
}
