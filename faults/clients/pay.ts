/** A person who tops up in the widget: a session, an intent, a card, and usually a page that asks for the result. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NoResponse, type ServiceResponse, type OutgoingRequest } from './send-request.ts'
import type { Dice } from './dice.ts'
import type { App } from '../setup/create-accounts.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { TIMEOUT_MS } from './call-service.ts'

/** Mostly cards that pay; one that is declined; one whose payment is disputed at once, perhaps for more than the balance. */
const CARDS = ['pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_visa']
const DECLINED = 'pm_card_chargeDeclined'
const DISPUTED = 'pm_card_createDispute'

const EXPECTED = {
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

export async function topUp(setup: Setup, dice: Dice): Promise<void> {
  const { sandbox, topups, apps, wallets } = setup
  const wallet = dice.between(0, wallets.length - 1)
  const app = apps[dice.between(0, 2)] as App
  const amountMinor = dice.between(100, 2_000)
  topups.started++
  const session = await openSession(setup, app, wallet)
  if (session === undefined) return
  const path = `/api/widget/topup/create-intent?session=${session}`
  const started = await post(setup, 'create-intent', path, { amount: amountMinor / 100 })
  if (started?.status !== 200) return
  const intent = JSON.parse(started.text) as { paymentIntentId: string; clientSecret: string }
  topups.secrets.push(intent.clientSecret)
  const isDeclined = dice.chance(0.08) && topups.mayDecline(wallet)
  const card = isDeclined ? DECLINED : dice.chance(0.06) ? DISPUTED : dice.pick(CARDS)
  topups.pay(intent.paymentIntentId, wallet, amountMinor)
  sandbox.complete(intent.paymentIntentId, card)
  // Some people close the page; then the webhook or the sweeper credits the payment.
  if (dice.chance(0.4)) return
  const asks = dice.between(1, 3)
  await Promise.all(Array.from({ length: asks }, () => confirm(setup, session, intent, wallet)))
}

async function openSession(setup: Setup, app: App, wallet: number): Promise<string | undefined> {
  const { clientId, clientSecret, serviceUserIds } = app
  const fields = { clientId, clientSecret, serviceUserId: serviceUserIds[wallet] }
  const response = await post(setup, 'session', '/api/widget/session', fields)
  const session = /"sessionToken":"([^"]+)"/.exec(response?.text ?? '')?.[1]
  if (session !== undefined) setup.topups.secrets.push(session)
  return session
}

/** The balance in the response is recorded as a read. */
async function confirm(
  setup: Setup,
  session: string,
  { paymentIntentId }: { paymentIntentId: string },
  wallet: number,
) {
  const { journal, topups } = setup
  const path = `/api/widget/topup/confirm?session=${session}`
  const read = { app: 0, verb: 'balance', wallet, amountMinor: 0, pair: undefined } as const
  const at = journal.send(read)
  const response = await post(setup, 'confirm', path, { paymentIntentId })
  if (response?.status !== 200) return
  journal.receive(at, response)
  if (response.text.includes('"status":"succeeded"')) topups.confirm(paymentIntentId)
}

/** undefined: no response, or a response that says to retry later. */
async function post(
  { caller, topups }: Setup,
  call: keyof typeof EXPECTED,
  path: string,
  fields: object,
): Promise<ServiceResponse | undefined> {
  const outgoing: OutgoingRequest = {
    method: 'POST',
    path,
    body: JSON.stringify(fields),
    timeoutMs: TIMEOUT_MS,
  }
  try {
    const response = await caller.send(outgoing)
    const code = /"code":"([A-Z_]+)"/.exec(response.text)?.[1] ?? ''
    const isExpected = !response.isOurs || EXPECTED[call].includes(`${response.status} ${code}`)
    if (response.status !== 200 && !isExpected) {
      topups.unexpected.push(`${call}: ${response.status} ${response.text}`)
    }
    return response
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    await sleep(100)
    return undefined
  }
}
