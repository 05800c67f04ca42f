import { BALANCE_MAX_MINOR, parseAmount, toWireNumber } from '@coffer/contract/money'
import type { Config } from '../config.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { isPayable, toStripeAmount } from '../processor/stripe.ts'
import { ServiceError, WritesPaused } from '../service-error.ts'
import { readOwner } from '../widget/read-owner.ts'
import { callProcessor } from './call-processor.ts'
import { endUnpaidTopups } from './end-unpaid-topups.ts'
import { findFailureWait } from './failure-queries.ts'
import { limitStripeCalls } from './limit-stripe-calls.ts'
import {
  bindIntent,
  findDayWait,
  findPayer,
  findWait,
  insertTopup,
  lockUser,
  type Topup,
} from './queries.ts'
import { FAILURES_MAX } from './stop-card-testing.ts'
import type { PageTools, Payer, TopupTools } from './topup-tools.ts'

/** The row is inserted first and its id names the intent: even if the call fails, a top-up has at most one intent. */
export async function createIntent(tools: PageTools, payer: Payer, amount: string) {
  const { config, db, ledger, processor } = tools
  const { currency } = config
  const amountMinor = parseTopup(amount, config)
  // Nobody should pay while the credit would be delayed.
  if (payer.clientApp?.isPaused || (await ledger.readPause())) throw new WritesPaused()
  const wallet = await ledger.readWallet(payer.walletId)
  if (!wallet?.isActive) throw new ServiceError('WALLET_INACTIVE')
  const balanceAfter = wallet.balance + wallet.held + amountMinor
  if (balanceAfter > BALANCE_MAX_MINOR) throw new ServiceError('INVALID_AMOUNT')
  const user = await readOwner(db, payer.userId)
  await limitStripeCalls(tools, callerOf(payer))
  const topup = await beginTopup(tools, payer, amountMinor)
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

function callerOf({ userId, clientApp }: Payer) {
  return { userId, clientAppId: clientApp?.id ?? null }
}

function parseTopup(amount: string, { currency, topupMinMinor, topupMaxMinor }: Config): bigint {
  const amountMinor = parseAmount(amount, currency)
  if (amountMinor === undefined || !isPayable(amountMinor, currency)) {
    throw new ServiceError('INVALID_AMOUNT')
  }
  if (amountMinor < topupMinMinor || amountMinor > topupMaxMinor) {
    throw new ServiceError('INVALID_AMOUNT')
  }
  return amountMinor
}

/** Top-ups that nobody is paying must not use up the limit per day, so they are canceled before it refuses one. */
async function beginTopup(tools: PageTools, payer: Payer, amountMinor: bigint) {
  try {
    return await recordTopup(tools, payer, amountMinor)
  } catch (error) {
    const isLimit = error instanceof ServiceError && error.code === 'TOPUP_LIMIT_EXCEEDED'
    if (!isLimit) throw error
    await endUnpaidTopups(tools, callerOf(payer))
    return recordTopup(tools, payer, amountMinor)
  }
}

function recordTopup({ db, config }: TopupTools, payer: Payer, amountMinor: bigint) {
  const { userId, walletId } = payer
  return inTransaction(db, async (tx) => {
    await run(tx, lockUser(userId))
    // The account was deleted after the login was checked. In a client app, the end of the link prevents this.
    const isDeleted = payer.clientApp === null && (await run(tx, findPayer(userId))) === 0
    if (isDeleted) throw new ServiceError('LOGIN_REQUIRED')
    const waitSeconds =
      (await one(tx, findWait(userId, config.topupsPerHour))) ??
      (await one(tx, findFailureWait(userId, FAILURES_MAX)))
    if (waitSeconds !== undefined) throw new ServiceError('RATE_LIMITED', undefined, waitSeconds)
    const limitSeconds = await one(tx, findDayWait(userId, amountMinor, config.topupMaxPerDayMinor))
    if (limitSeconds !== undefined) {
      throw new ServiceError('TOPUP_LIMIT_EXCEEDED', undefined, limitSeconds)
    }
    const topup = { ...callerOf(payer), walletId, amountMinor }
    return (await one(tx, insertTopup(topup))) as Topup
  })
}

/** 3-D Secure, wherever the card supports it. */
const AUTHENTICATE = { card: { request_three_d_secure: 'any' } } as const

/** The top-up's id is the idempotency key, so that a repeated call returns the same intent. */
export async function requestIntent(tools: TopupTools, topup: Topup) {
  const { db, config, processor } = tools
  const { threeDSecureAboveMinor: bound } = config
  const isLarge = bound !== undefined && topup.amountMinor > bound
  const intent = await callProcessor(
    tools,
    processor.stripe.paymentIntents.create(
      {
        amount: toStripeAmount(topup.amountMinor, config.currency),
        currency: config.currency.code.toLowerCase(),
        automatic_payment_methods: { enabled: true },
        ...(isLarge && { payment_method_options: AUTHENTICATE }),
        metadata: { topupId: topup.id },
      },
      { idempotencyKey: `topup-${topup.id}` },
    ),
  )
  await run(db, bindIntent(topup.id, intent.id))
  return intent
}
