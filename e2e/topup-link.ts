/** The attacker has their own payment and its URL on our domain; the other person sees the owner of the wallet. */
import type { TestApp } from '../server/test/factories.ts'
import { SERVICE, type Tools } from './setup.ts'

interface LinkedUser {
  id: bigint
  serviceUserId: string
}

async function post(path: string, body: object) {
  const response = await fetch(SERVICE() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

export async function openSession(app: TestApp, { serviceUserId }: LinkedUser): Promise<string> {
  const { clientId, clientSecret } = app
  const created = await post('/api/widget/session', { clientId, clientSecret, serviceUserId })
  return created['sessionToken'] ?? ''
}

/** The same URL as the one that a bank redirects to. */
export async function makeTopupLink(app: TestApp, user: LinkedUser, amount: number) {
  const session = await openSession(app, user)
  const intent = await post(`/api/widget/topup/create-intent?session=${session}`, { amount })
  const query = new URLSearchParams({
    clientId: app.clientId,
    payment_intent_client_secret: intent['clientSecret'] ?? '',
  })
  const paymentIntentId = intent['paymentIntentId'] ?? ''
  return { link: `${SERVICE()}/widget/topup?${query}`, paymentIntentId }
}

export async function ownerOf({ admin }: Tools, { id }: LinkedUser): Promise<string> {
  const { rows } = await admin.query<{ email: string }>(
    'select email from directory.people where service_user_id = $1',
    [id],
  )
  return `Ada Example · ${rows[0]?.email[0]}…@example.com`
}
