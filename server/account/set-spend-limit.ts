import { parseAmount, toWireNumber, type Currency } from '@coffer/contract/money'
import type { setSpendLimit as endpoint } from '@coffer/contract/account-spending-api'
import assert from 'node:assert/strict'
import type { Context } from '../context.ts'
import { many } from '../database/statement.ts'
import { isTimeZone, localDay, startOfDay } from '../ledger/spend/find-period.ts'
import type { SpendLimit, SpendTerms } from '../ledger/spend/types.ts'
import { InvalidRequest, WritesPaused } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { listLinkedApps } from './queries.ts'

type Input = (typeof endpoint)['input']['_zod']['output']
type AmountField = 'singleMax' | 'dayMax' | 'weekMax' | 'monthMax'

const DAY_MS = 86_400_000

/** Without any limit in the input, the limit of the app is removed. */
export async function setSpendLimit(
  { db, ledger, config }: Context,
  { userId, walletId }: Pick<LoggedIn, 'userId' | 'walletId'>,
  input: Input,
): Promise<void> {
  const terms = readTerms(input, config.currency)
  const linked = await many(db, listLinkedApps(userId))
  const app = linked.find(({ clientId }) => clientId === input.clientId)
  if (app === undefined) {
    throw new InvalidRequest('The field clientId must name a connected app.', 'clientId')
  }
  if (!(await ledger.spendLimits.isAccepted())) throw new WritesPaused()
  const isOpen = await ledger.spendLimits.set(walletId, app.account, terms)
  assert(isOpen, 'the wallet of a person who is logged in is not closed')
}

function readTerms(input: Input, currency: Currency): SpendTerms | null {
  const { lastDay, timeZone } = input
  if (!isTimeZone(timeZone)) {
    const expected = 'must be the name of a time zone, such as Europe/Berlin'
    throw new InvalidRequest(`The field timeZone ${expected}.`, 'timeZone')
  }
  const terms = {
    singleMax: readMax(input, 'singleMax', currency),
    max: {
      day: readMax(input, 'dayMax', currency),
      week: readMax(input, 'weekMax', currency),
      month: readMax(input, 'monthMax', currency),
    },
    endsAtMs: lastDay === undefined ? null : endOf(lastDay, timeZone),
    timeZone,
  }
  const limits = [terms.singleMax, ...Object.values(terms.max), terms.endsAtMs]
  return limits.every((each) => each === null) ? null : terms
}

function readMax(input: Input, field: AmountField, currency: Currency): bigint | null {
  const given = input[field]
  if (given === undefined) return null
  const amount = parseAmount(given, currency)
  if (amount !== undefined) return amount
  throw new InvalidRequest(`The field ${field} must be an amount such as 19.99, or 0.`, field)
}

/** The end of a day in the time zone. */
function endOf(day: string, timeZone: string): number {
  if (day < '2000' || day >= '3000') {
    throw new InvalidRequest('The field lastDay must be a day from 2000 to 2999.', 'lastDay')
  }
  return startOfDay(timeZone, Date.parse(day) / DAY_MS + 1)
}

/** For the person. */
export function showSpendLimit(limit: SpendLimit, currency: Currency) {
  const { singleMax, endsAtMs, timeZone, periods } = limit
  const { day, week, month } = periods
  const show = (max: bigint | null) => (max === null ? null : toWireNumber(max, currency))
  return {
    singleMax: show(singleMax),
    dayMax: show(day.max),
    weekMax: show(week.max),
    monthMax: show(month.max),
    daySpent: toWireNumber(day.spent, currency),
    weekSpent: toWireNumber(week.spent, currency),
    monthSpent: toWireNumber(month.spent, currency),
    lastDay: endsAtMs === null ? null : lastDayOf(timeZone, endsAtMs),
    timeZone,
  }
}

function lastDayOf(timeZone: string, endsAtMs: number): string {
  return new Date(localDay(timeZone, endsAtMs - 1) * DAY_MS).toISOString().slice(0, 10)
}
