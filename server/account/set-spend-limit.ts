import { parseAmount, toWireNumber, type Currency } from '@coffer/contract/money'
import type { setSpendLimit as endpoint } from '@coffer/contract/account/spend-limit'
import assert from 'node:assert/strict'
import type { Context } from '../context.ts'
import { many } from '../database/statement.ts'
import { localDay, startOfDay } from '../ledger/post/find-period.ts'
import type { SpendLimit, SpendTerms } from '../ledger/types.ts'
import { accountUrl } from '../identity/account-url.ts'
import { notifyOwner } from '../identity/notify-owner.ts'
import { InvalidRequest, ServiceError } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { listLinkedApps } from './queries.ts'
import { requireTimeZone } from './require-time-zone.ts'

type Input = (typeof endpoint)['input']['_zod']['output']
type AmountField = 'singleMax' | 'dayMax' | 'weekMax' | 'monthMax'

const DAY_MS = 86_400_000

/**
 * Without any limit in the input, the limit of the app is removed. Only a person who confirmed it lets the app take more,
 * and the email tells the owner in case somebody else did.
 */
export async function setSpendLimit(
  context: Context,
  person: LoggedIn,
  input: Input,
  isConfirmed: boolean,
): Promise<void> {
  const { db, ledger, config } = context
  const { userId, walletId } = person
  const terms = readTerms(input, config.currency)
  const linked = await many(db, listLinkedApps(userId))
  const app = linked.find(({ clientId }) => clientId === input.clientId)
  if (app === undefined) {
    throw new InvalidRequest('The field clientId must name a connected app.', 'clientId')
  }
  const outcome = await ledger.spendLimits.set(walletId, app.ledgerAccount, terms, {
    mayRaise: isConfirmed,
  })
  assert(outcome !== 'closed', 'the wallet of a person who is logged in is not closed')
  if (outcome === 'not_raised') throw new ServiceError('CONFIRMATION_REQUIRED')
  if (outcome !== 'raised') return
  const account = accountUrl(config)
  await notifyOwner(context, person, (mails, warning) =>
    mails.spendLimitRaised(app.name, account, warning),
  )
}

function readTerms(input: Input, currency: Currency): SpendTerms | null {
  const { lastDay, timeZone } = input
  requireTimeZone(timeZone)
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
