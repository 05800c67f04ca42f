import type { setAutomaticTopup as endpoint } from '@coffer/contract/account/automatic-topup'
import { AUTOMATIC_TERMS } from '@coffer/contract/account/automatic-terms'
import type { Language } from '@coffer/contract/languages'
import { BALANCE_MAX_MINOR, formatAmount, parseAmount, toWireNumber } from '@coffer/contract/money'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { one, run } from '../database/statement.ts'
import { notifyOwner } from '../identity/notify-owner.ts'
import type { Person } from '../identity/queries.ts'
import { InvalidRequest, ServiceError } from '../service-error.ts'
import { findAutomatic, saveAutomatic, type AutomaticTerms } from '../topup/automatic/queries.ts'
import { findCard } from '../topup/cards/list-cards.ts'
import { parseTopup } from '../topup/create-intent.ts'
import { limitStripeCalls } from '../topup/limit-stripe-calls.ts'
import { requireProcessor } from '../topup/topup-tools.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { requireTimeZone } from './require-time-zone.ts'

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
            suspendedFor: terms.suspendedFor,
          },
    minAmount: toWireNumber(config.topupMinMinor, currency),
    maxAmount: toWireNumber(findMost(config), currency),
    currency: currency.code,
  }
}

/** Above that amount the bank always requires the cardholder to authenticate, and the cardholder is not there. */
function findMost({ topupMaxMinor, threeDSecureAboveMinor: bound }: Config): bigint {
  return bound !== undefined && bound < topupMaxMinor ? bound : topupMaxMinor
}

export async function setAutomaticTopup(
  context: Context,
  person: Pick<LoggedIn, 'userId' | 'email' | 'language'>,
  { passwordHash }: Pick<Person, 'passwordHash'>,
  input: Input,
): Promise<void> {
  const { db, config } = context
  const tools = requireProcessor(context)
  const amounts = readAmounts(input, config)
  await limitStripeCalls(context, { userId: person.userId, clientAppId: null })
  const card = await findCard(tools, person.userId, input.cardId)
  if (card === undefined) throw new ServiceError('CARD_NOT_FOUND')
  const cardName = `${card.brand} ${card.last4}`
  const terms = { ...amounts, timeZone: input.timeZone, cardId: input.cardId, cardName }
  const consent = writeTerms(terms, person.language, config)
  const saved = await run(db, saveAutomatic(person.userId, passwordHash, terms, consent))
  if (saved !== 1) throw new ServiceError('LOGIN_FAILED')
  await notifyOwner(context, person, (mails, warning) => mails.automaticTopupOn(consent, warning))
}

function writeTerms(
  { thresholdMinor, amountMinor, monthMaxMinor, cardName }: AutomaticTerms,
  language: Language | null,
  { currency }: Config,
): string {
  const show = (minor: bigint) => `${formatAmount(minor, currency)} ${currency.code}`
  const write = AUTOMATIC_TERMS[language ?? 'en']
  return write(show(thresholdMinor), show(amountMinor), show(monthMaxMinor), cardName)
}

function readAmounts(input: Input, config: Config) {
  requireTimeZone(input.timeZone)
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
