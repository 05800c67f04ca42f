/** Spending limits of one user and client app. */
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { countSpent } from '../../ledger/spend-limits.ts'
import { UNITS, type SpendTerms } from '../../ledger/types.ts'
import { call, type Fields, type Setup } from '../setup.ts'
import { holdFields } from './hold-setup.ts'

type Limited = Pick<Setup, 'harness' | 'app' | 'user'>

export const NO_LIMIT: SpendTerms = {
  singleMax: null,
  max: { day: null, week: null, month: null },
  endsAtMs: null,
  timeZone: 'UTC',
}

export async function setLimit(
  { harness, app, user }: Limited,
  {
    day = null,
    week = null,
    month = null,
    ...terms
  }: Partial<Record<'day' | 'week' | 'month', bigint | null> & Omit<SpendTerms, 'max'>>,
): Promise<void> {
  const all = { ...NO_LIMIT, ...terms, max: { day, week, month } }
  const { spendLimits } = harness.context.ledger
  assert.notEqual(await spendLimits.set(user.walletId, app.ledgerAccount, all), 'closed')
}

async function find({ harness, app, user }: Limited) {
  const { ledger } = harness.context
  const wallet = await ledger.readWallet(user.walletId)
  assert(wallet)
  return (await ledger.spendLimits.list(wallet)).get(app.ledgerAccount)
}

/** What counts in the current day, week and month; undefined without a limit. */
export async function readSpent(shop: Limited): Promise<bigint[] | undefined> {
  const limit = await find(shop)
  return limit && UNITS.map((unit) => limit.periods[unit].spent)
}

/** The same, from the operations: both are equal if nothing was counted twice or forgotten. */
export async function sumOperations(shop: Limited): Promise<bigint[]> {
  const limit = await find(shop)
  assert(limit)
  const counted = await countSpent(shop.harness.context.db, Date.now(), limit)
  return UNITS.map((unit) => counted[unit].spent)
}

export const OVER = [403, 'SPEND_LIMIT_EXCEEDED']

export const outcomeOf = (response: { statusCode: number; json: () => Fields }) => [
  response.statusCode,
  response.json()['code'],
]

export function payWith(shop: Setup, amount: number, fields: Fields = {}) {
  return call(shop, debit, holdFields(shop, amount, fields))
}
