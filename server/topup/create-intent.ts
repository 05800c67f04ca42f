import { BALANCE_MAX_MINOR, formatAmount, toWireNumber } from '@coffer/contract/money'
import type { Config } from '../config.ts'
import { run } from '../database/statement.ts'
import { isDefiniteRefusal, isPayable, toStripeAmount } from '../processor/stripe.ts'
import { readAmount } from '../read-amount.ts'
import { InvalidAmount, ServiceError, WritesPaused } from '../service-error.ts'
import { readOwner } from '../identity/read-owner.ts'
import { callProcessor } from './call-processor.ts'
import { endUnpaidTopups } from './end-unpaid-topups.ts'
import { limitStripeCalls } from './limit-stripe-calls.ts'
import { bindIntent, endTopup, type SavedCard, type Topup } from './queries.ts'
import { callerOf, recordTopup, type WantedTopup } from './record-topup.ts'
import type { PageTools, Payer, TopupTools } from './topup-tools.ts'

/**
 * The row is inserted first and its id names the intent: even if the call fails, a top-up has at most one intent.
 * `choose` runs after the checks of the amount and of the number of calls.
 */
export async function createIntent(
  tools: PageTools,
  payer: Payer,
  amount: string,
  choose: () => Promise<SavedCard | null> = async () => null,
) {
  const { config, db, ledger, processor } = tools
  const { currency } = config
  const amountMinor = parseTopup(amount, config)
  // Nobody should pay while the credit would be delayed.
  if (payer.clientApp?.isPaused || (await ledger.readPause())) throw new WritesPaused()
  const wallet = await ledger.readWallet(payer.walletId)
  if (!wallet?.isActive) throw new ServiceError('WALLET_INACTIVE')
  const balanceAfter = wallet.balance + wallet.held + amountMinor
  if (balanceAfter > BALANCE_MAX_MINOR) {
    const problem = 'The wallet cannot hold so much. Choose a smaller amount.'
    throw new InvalidAmount('amount', problem)
  }
  const user = await readOwner(db, payer.userId)
  await limitStripeCalls(tools, callerOf(payer))
  const saved = await choose()
  const topup = await beginTopup(tools, payer, { amountMinor, saved, isAutomatic: false })
  const intent = await requestIntent(tools, topup)
  return {
    paymentIntentId: intent.id,
    clientSecret: intent.client_secret ?? '',
    publishableKey: processor.publishableKey,
    amount: toWireNumber(amountMinor, currency),
    currency: currency.code,
    status: intent.status,
    user,
  }
}

/** Currencies with three decimals, for example. */
export const NOT_PAYABLE =
  'The card processor does not accept so many decimals in this currency. Choose an amount with fewer.'

export function parseTopup(
  amount: string,
  { currency, topupMinMinor, topupMaxMinor }: Config,
): bigint {
  const amountMinor = readAmount('amount', amount, currency)
  if (!isPayable(amountMinor, currency)) throw new InvalidAmount('amount', NOT_PAYABLE)
  if (amountMinor < topupMinMinor || amountMinor > topupMaxMinor) {
    const [least, most] = [topupMinMinor, topupMaxMinor].map((each) => formatAmount(each, currency))
    throw new InvalidAmount('amount', `The field amount must be from ${least} to ${most}.`)
  }
  return amountMinor
}

/** Top-ups that nobody is paying must not use up the limit per day, so they are canceled before it refuses one. */
async function beginTopup(tools: PageTools, payer: Payer, wanted: WantedTopup) {
  const choose = async () => wanted
  try {
    return await recordTopup(tools, payer, choose)
  } catch (error) {
    const isLimit = error instanceof ServiceError && error.code === 'TOPUP_LIMIT_EXCEEDED'
    if (!isLimit) throw error
    await endUnpaidTopups(tools, callerOf(payer))
    return recordTopup(tools, payer, choose)
  }
}

/** 3-D Secure, wherever the card supports it. */
const AUTHENTICATE = { card: { request_three_d_secure: 'any' } } as const

/** The top-up's id is the idempotency key, so that a repeated call returns the same intent. */
export async function requestIntent(tools: TopupTools, topup: Topup) {
  const { db, config, processor } = tools
  const response = processor.stripe.paymentIntents.create(
    {
      amount: toStripeAmount(topup.amountMinor, config.currency),
      currency: config.currency.code.toLowerCase(),
      ...chooseMethods(topup, config),
      metadata: { topupId: topup.id },
    },
    { idempotencyKey: `topup-${topup.id}` },
  )
  // The processor refuses a card that was removed in the meantime.
  const isCardGone = topup.saved?.cardId && (await response.then(() => false, isDefiniteRefusal))
  if (isCardGone) {
    // An automatic top-up is ended and suspended by its caller.
    if (!topup.isAutomatic) await run(db, endTopup(topup.id))
    throw new ServiceError('CARD_NOT_FOUND')
  }
  const intent = await callProcessor(tools, response)
  await run(db, bindIntent(topup.id, intent.id))
  return intent
}

/** Nobody can authenticate an automatic top-up, and no bank can redirect it. */
function chooseMethods(
  { amountMinor, saved, isAutomatic }: Topup,
  { threeDSecureAboveMinor: bound }: Config,
) {
  const isLarge = bound !== undefined && amountMinor > bound && !isAutomatic
  const customer = saved && { customer: saved.customerId }
  return {
    automatic_payment_methods: {
      enabled: true,
      ...(isAutomatic && { allow_redirects: 'never' as const }),
    },
    ...(isLarge && { payment_method_options: AUTHENTICATE }),
    ...(saved?.cardId === null && { ...customer, setup_future_usage: 'off_session' as const }),
    ...(saved?.cardId && { ...customer, payment_method: saved.cardId }),
  }
}
