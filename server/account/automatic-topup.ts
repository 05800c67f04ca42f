import type { setAutomaticTopup as endpoint } from '@coffer/contract/account-automatic-topup-api'
import { BALANCE_MAX_MINOR, parseAmount, toWireNumber } from '@coffer/contract/money'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { one, run } from '../database/statement.ts'
import { notifyOwner } from '../identity/notify-owner.ts'
import { isTimeZone } from '../ledger/spend/find-period.ts'
import { InvalidRequest, ServiceError } from '../service-error.ts'
import { findAutomatic, saveAutomatic } from '../topup/automatic/queries.ts'
import { findCard } from '../topup/cards/list-cards.ts'
import { parseTopup } from '../topup/create-intent.ts'
import { limitStripeCalls } from '../topup/limit-stripe-calls.ts'
import { requireProcessor } from '../topup/topup-tools.ts'
import type { LoggedIn } from './log-in-queries.ts'

type Input = (typeof endpoint)['input']['_zod']['output']

export async function readAutomaticTopup({ db, config }: Context, userId: bigint) {
  const { currency } = config
  const terms = await one(db, findAutomatic(userId))
  return {
    automaticTopup:
      terms === undefined
        ? null
        : {
            threshold: toWireNumber(terms.thresholdMinor, currency),
            amount: toWireNumber(terms.amountMinor, currency),
            monthMax: toWireNumber(terms.monthMaxMinor, currency),
            timeZone: terms.timeZone,
            cardId: terms.cardId,
            cardName: terms.cardName,
            pausedFor: terms.pausedFor,
          },
    minAmount: toWireNumber(config.topupMinMinor, currency),
    maxAmount: toWireNumber(findMost(config), currency),
    currency: currency.code,
  }
}

/** Above that amount the bank always asks the card holder, who is away. */
function findMost({ topupMaxMinor, threeDSecureAboveMinor: bound }: Config): bigint {
  return bound !== undefined && bound < topupMaxMinor ? bound : topupMaxMinor
}

export async function setAutomaticTopup(
  context: Context,
  person: LoggedIn,
  input: Input,
): Promise<void> {
  const { db, config } = context
  const tools = requireProcessor(context)
  const { consent, ...given } = input
  const amounts = readAmounts(given, config)
  await limitStripeCalls(context, { userId: person.userId, clientAppId: null })
  const card = await findCard(tools, person.userId, given.cardId)
  if (card === undefined) throw new ServiceError('CARD_NOT_FOUND')
  const cardName = `${card.brand} ${card.last4}`
  const terms = { ...amounts, timeZone: given.timeZone, cardId: given.cardId, cardName }
  await run(db, saveAutomatic(person.userId, terms, consent))
  await notifyOwner(context, person, (mails, warning) => mails.automaticTopupOn(consent, warning))
}

function readAmounts(input: Omit<Input, 'consent'>, config: Config) {
  if (!isTimeZone(input.timeZone)) {
    const expected = 'must be the name of a time zone, such as Europe/Berlin'
    throw new InvalidRequest(`The field timeZone ${expected}.`, 'timeZone')
  }
  const amountMinor = parseTopup(input.amount, { ...config, topupMaxMinor: findMost(config) })
  const thresholdMinor = parseAmount(input.threshold, config.currency)
  if (!thresholdMinor || thresholdMinor > BALANCE_MAX_MINOR) {
    throw new InvalidRequest('The field threshold must be an amount such as 19.99.', 'threshold')
  }
  const monthMaxMinor = parseAmount(input.monthMax, config.currency)
  if (monthMaxMinor === undefined || monthMaxMinor < amountMinor) {
    throw new InvalidRequest('The field monthMax must be at least the amount.', 'monthMax')
  }
  return { amountMinor, thresholdMinor, monthMaxMinor }
}
