/** What moved in a time and what is owed now, up to this moment: the sums and what came after them, in one snapshot. */
import type pg from 'pg'
import type { Kind } from '../ledger/types.ts'
import {
  READ_ROLLED_UP_TO,
  readSettlement as settlementOf,
  SUM_TOTALS,
  sumDays,
  sumHours,
  sumTail,
  type MovementRow,
  type SumRow,
  type TailRow,
  type TotalRow,
} from './figure-queries.ts'
import { inSnapshot } from './in-snapshot.ts'
import { READ_PROOF, type ProofRow } from './proof-queries.ts'

/** In minor units, as the accounts see it: a debit is positive, a credit and a top-up negative. */
export interface Movement {
  count: bigint
  change: bigint
}

export interface Figures {
  /** By the beginning of the hour or day, in milliseconds. */
  slots: Map<number, Map<Kind, Movement>>
  accounts: Map<bigint, Map<Kind, Movement>>
  /** What each account is owed now. */
  settlements: Map<bigint, bigint>
  held: bigint
  debt: bigint
  proof: ProofRow
}

const STEP_MS = { hour: 60 * 60 * 1000, day: 24 * 60 * 60 * 1000 }

export function readFigures(pool: pg.Pool, from: Date, step: 'hour' | 'day'): Promise<Figures> {
  return inSnapshot(pool, async (tx) => {
    const [progress] = (await tx.query<{ rolled_up_to: Date }>(READ_ROLLED_UP_TO)).rows
    if (progress === undefined) throw new Error('the sums have no beginning')
    const sums = await tx.query<MovementRow>(step === 'hour' ? sumHours(from) : sumDays(from))
    const tail = (await tx.query<TailRow>(sumTail(progress.rolled_up_to))).rows
    const totals = await tx.query<TotalRow>(SUM_TOTALS)
    const [proof] = (await tx.query<ProofRow>(READ_PROOF)).rows
    if (proof === undefined) throw new Error('nothing is known about the proof')
    const figures = addUpTotals([...totals.rows, ...tail], proof)
    for (const row of sums.rows) addMovement(figures, row)
    for (const row of tail.filter(({ at }) => at >= from)) {
      const at = new Date(Math.floor(row.at.getTime() / STEP_MS[step]) * STEP_MS[step])
      addMovement(figures, { ...row, at, account: null })
      addMovement(figures, { ...row, at: null })
    }
    return figures
  })
}

function addUpTotals(rows: readonly TotalRow[], proof: ProofRow): Figures {
  const settlements = new Map<bigint, bigint>()
  let [held, debt] = [0n, 0n]
  for (const row of rows) {
    settlements.set(row.account, (settlements.get(row.account) ?? 0n) + changeOf(row))
    held += row.amount
    debt += row.debt_change
  }
  return { slots: new Map(), accounts: new Map(), settlements, held, debt, proof }
}

function addMovement({ slots, accounts }: Figures, row: MovementRow) {
  const kinds =
    row.at === null ? entryOf(accounts, row.account as bigint) : entryOf(slots, row.at.getTime())
  const before = kinds.get(row.kind) ?? { count: 0n, change: 0n }
  kinds.set(row.kind, {
    count: before.count + row.count,
    change: before.change + changeOf(row),
  })
}

function entryOf<Key>(map: Map<Key, Map<Kind, Movement>>, key: Key): Map<Kind, Movement> {
  const known = map.get(key) ?? new Map<Kind, Movement>()
  map.set(key, known)
  return known
}

function changeOf({ amount, debt_change: debtChange }: SumRow): bigint {
  return debtChange - amount
}

/** What the platform owes the account's owner now; negative: what the owner owes. */
export async function readSettlement(pool: pg.Pool, account: number): Promise<bigint> {
  const { rows } = await pool.query<{ settlement: bigint }>(settlementOf(account))
  return rows[0]?.settlement ?? 0n
}
