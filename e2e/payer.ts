/** A person who tops up and spends without a page: through the API, as a client app's backend and the widget do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientApp, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { SERVICE, type Tools } from './setup.ts'

export interface Payer {
  app: TestApp
  userId: bigint
  walletId: bigint
  serviceUserId: string
}

async function post(url: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

/** Card holders and banks. */
export function callSandbox(path: string, body: object = {}) {
  return post(`${process.env['SANDBOX_URL']}/sandbox/${path}`, body)
}

export async function makePayer(tools: Tools, name = 'Corner Shop', app?: TestApp): Promise<Payer> {
  const shop = app ?? (await makeClientApp(tools, { name }))
  const { id, walletId, serviceUserId } = await makeLinkedUser(tools, shop)
  return { app: shop, userId: id, walletId, serviceUserId }
}

function credentialsOf({ app: { clientId, clientSecret } }: Payer) {
  return { clientId, clientSecret }
}

export async function spend(payer: Payer, amount: number, referenceId: string) {
  const pair = { referenceType: 'ORDER_PAYMENT', referenceId }
  const { serviceUserId } = payer
  const input = { ...credentialsOf(payer), serviceUserId, amount, ...pair }
  return post(`${SERVICE()}/api/server/wallet/debit`, { ...input, description: 'Two coffees' })
}

/** In full. */
export async function refund(payer: Payer, referenceId: string) {
  const debit = { referenceType: 'ORDER_PAYMENT', referenceId }
  const pair = { referenceType: 'ORDER_REFUND', referenceId }
  return post(`${SERVICE()}/api/server/wallet/refund`, { ...credentialsOf(payer), ...pair, debit })
}

/** A started top-up; paid and credited by default. */
export async function topUp(tools: Tools, payer: Payer, amount: number, isPaid = true) {
  const { serviceUserId } = payer
  const credentials = credentialsOf(payer)
  const { sessionToken } = await post(`${SERVICE()}/api/widget/session`, {
    ...credentials,
    serviceUserId,
  })
  const api = `${SERVICE()}/api/widget/topup`
  const intent = await post(`${api}/create-intent?session=${sessionToken}`, { amount })
  const paymentIntentId = intent['paymentIntentId'] ?? ''
  let charge = ''
  if (isPaid) {
    const paid = await callSandbox(`payment_intents/${paymentIntentId}/complete`)
    charge = paid['latest_charge'] ?? ''
    await post(`${api}/confirm?session=${sessionToken}`, { paymentIntentId })
  }
  const { rows } = await tools.admin.query<{ id: string }>(
    'select id from directory.topups where intent_id = $1',
    [paymentIntentId],
  )
  return { id: rows[0]?.id ?? '', paymentIntentId, charge }
}

/** Waits until the service has taken the money from the wallet, and returns the reference of that operation. */
export async function dispute(tools: Tools, topupId: string, charge: string): Promise<string> {
  await callSandbox(`charges/${charge}/dispute`)
  for (;;) {
    const { rows } = await tools.admin.query<{ withdrawal: string }>(
      'select unnest(withdrawals) as withdrawal from directory.disputes where topup_id = $1',
      [topupId],
    )
    if (rows[0]) return rows[0].withdrawal
    await sleep(100)
  }
}
