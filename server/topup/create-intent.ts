import { BALANCE_MAX_MINOR, parseAmount, toWireNumber } from '@coffer/contract/money'
import type { Config } from '../config.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { isPayable, toStripeAmount } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import { readOwner } from '../widget/read-owner.ts'
import type { Session } from '../widget/require-session.ts'
import { askProcessor } from './read-processor.ts'
import { bindIntent, findPause, insertTopup, lockUser, type TopupRow } from './queries.ts'
import type { TopupTools } from './settle.ts'

/** The row comes first and names the intent: whatever becomes of the call, there is one intent per top-up. */
export async function createIntent(tools: TopupTools, session: Session, amount: string) {
  const { config, db, ledger, processor } = tools
  const { currency } = config
  const amountMinor = parseTopup(amount, config)
  // Nobody should pay for what is credited only later.
  if (session.clientApp.isPaused || (await ledger.readPause())) throw new WritesPaused()
  const wallet = await ledger.readWallet(session.walletId)
  if (!wallet?.isActive) throw new ServiceError('WALLET_INACTIVE')
  if (wallet.balance + amountMinor > BALANCE_MAX_MINOR) throw new ServiceError('INVALID_AMOUNT')
  const user = await readOwner(db, session.userId)
  const topup = await beginTopup(tools, session, amountMinor)
  const intent = await askForIntent(tools, topup)
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

function beginTopup({ db, config }: TopupTools, session: Session, amountMinor: bigint) {
  const { userId, walletId, clientApp } = session
  return inTransaction(db, async (tx) => {
    await tx.query(lockUser(userId))
    const pause = await tx.query<{ seconds: number }>(findPause(userId, config.topupsPerHour))
    if (pause.rows[0]) throw new ServiceError('RATE_LIMITED', undefined, pause.rows[0].seconds)
    const topup = { userId, walletId, clientAppId: clientApp.id, amountMinor }
    return (await tx.query<TopupRow>(insertTopup(topup))).rows[0] as TopupRow
  })
}

/** The top-up's id is the idempotency key, so that asking again finds the same intent. */
export async function askForIntent(tools: TopupTools, topup: TopupRow) {
  const { db, config, processor } = tools
  const intent = await askProcessor(
    tools,
    processor.stripe.paymentIntents.create(
      {
        amount: toStripeAmount(topup.amount, config.currency),
        currency: config.currency.code.toLowerCase(),
        automatic_payment_methods: { enabled: true },
        metadata: { topupId: topup.id },
      },
      { idempotencyKey: `topup-${topup.id}` },
    ),
  )
  await db.query(bindIntent(topup.id, intent.id))
  return intent
}
