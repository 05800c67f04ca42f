/** A person at the widget who tops up: a session, an intent, a card, and mostly a page that asks how it went. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer, type Answer, type Question } from './ask.ts'
import type { Dice } from './dice.ts'
import type { App } from '../stage/open-accounts.ts'
import type { Stage } from '../stage/prepare-stage.ts'
import { PATIENCE_MS } from './talk.ts'

/** Mostly cards that pay; one that is declined; one whose payment is disputed at once, with what there may not be. */
const CARDS = ['pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_visa']
const DECLINED = 'pm_card_chargeDeclined'
const DISPUTED = 'pm_card_createDispute'

const FORESEEN = {
  session: ['429 RATE_LIMITED', '503 SERVICE_UNAVAILABLE'],
  'create-intent': [
    '401 SESSION_EXPIRED',
    '403 WALLET_INACTIVE',
    '502 PAYMENT_PROVIDER_ERROR',
    '503 SERVICE_UNAVAILABLE',
  ],
  confirm: [
    '401 SESSION_EXPIRED',
    '402 PAYMENT_FAILED',
    '502 PAYMENT_PROVIDER_ERROR',
    '503 SERVICE_UNAVAILABLE',
    '503 OUTCOME_UNKNOWN',
  ],
}

export async function topUp(stage: Stage, dice: Dice): Promise<void> {
  const { sandbox, till, apps, wallets } = stage
  const wallet = dice.between(0, wallets.length - 1)
  const app = apps[dice.between(0, 2)] as App
  const amountMinor = dice.between(100, 2_000)
  till.begun++
  const session = await openSession(stage, app, wallet)
  if (session === undefined) return
  const path = `/api/widget/topup/create-intent?session=${session}`
  const begun = await post(stage, 'create-intent', path, { amount: amountMinor / 100 })
  if (begun?.status !== 200) return
  const intent = JSON.parse(begun.text) as { paymentIntentId: string; clientSecret: string }
  till.secrets.push(intent.clientSecret)
  const card = dice.chance(0.08) ? DECLINED : dice.chance(0.06) ? DISPUTED : dice.pick(CARDS)
  till.pay(intent.paymentIntentId, wallet, amountMinor)
  sandbox.complete(intent.paymentIntentId, card)
  // Some close the page; the webhook or the sweeper brings the money then.
  if (dice.chance(0.4)) return
  const asks = dice.between(1, 3)
  await Promise.all(Array.from({ length: asks }, () => confirm(stage, session, intent, wallet)))
}

async function openSession(stage: Stage, app: App, wallet: number): Promise<string | undefined> {
  const { clientId, clientSecret, serviceUserIds } = app
  const fields = { clientId, clientSecret, serviceUserId: serviceUserIds[wallet] }
  const answer = await post(stage, 'session', '/api/widget/session', fields)
  const session = /"sessionToken":"([^"]+)"/.exec(answer?.text ?? '')?.[1]
  if (session !== undefined) stage.till.secrets.push(session)
  return session
}

/** The balance that it tells is a read like any other. */
async function confirm(
  stage: Stage,
  session: string,
  { paymentIntentId }: { paymentIntentId: string },
  wallet: number,
) {
  const { journal, till } = stage
  const path = `/api/widget/topup/confirm?session=${session}`
  const read = { app: 0, verb: 'balance', wallet, amountMinor: 0, pair: undefined } as const
  const at = journal.send(read)
  const answer = await post(stage, 'confirm', path, { paymentIntentId })
  if (answer?.status !== 200) return
  journal.receive(at, answer)
  if (answer.text.includes('"status":"succeeded"')) till.confirm(paymentIntentId)
}

/** undefined: no answer, or one that says to try later. */
async function post(
  { caller, till }: Stage,
  call: keyof typeof FORESEEN,
  path: string,
  fields: object,
): Promise<Answer | undefined> {
  const question: Question = {
    method: 'POST',
    path,
    body: JSON.stringify(fields),
    patienceMs: PATIENCE_MS,
  }
  try {
    const answer = await caller.ask(question)
    const code = /"code":"([A-Z_]+)"/.exec(answer.text)?.[1] ?? ''
    const isForeseen = !answer.isOurs || FORESEEN[call].includes(`${answer.status} ${code}`)
    if (answer.status !== 200 && !isForeseen) {
      till.surprises.push(`${call}: ${answer.status} ${answer.text}`)
    }
    return answer
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    await sleep(100)
    return undefined
  }
}
