/** What the demo shows: two client apps, a person with some history, somebody without, and an operator. */
import { createCoffer } from '@coffer/sdk'
import type { Store } from '../example/store.ts'
import { createAccount } from '../server/identity/sign-up.ts'
import { link } from '../server/identity/link.ts'
import { createOperator } from '../server/admin/operators/create-operator.ts'
import { createDemoUser, refuseLiveDeployment } from '../server/cli/demo-user.ts'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import type { Context } from '../server/context.ts'

/** Where the integration guide runs its page. */
export const YOUR_ORIGIN = 'http://localhost:4000'

const ADA = { firstName: 'Ada', lastName: 'Green', email: 'ada@example.com' }
const HISTORY = [
  ['credit', '40.00', 'GIFT_CARD', 'card-1', 'Gift card'],
  ['debit', '11.50', 'ORDER_PAYMENT', 'order-1-attempt-1', 'House blend, 250 g'],
  ['debit', '2.80', 'ORDER_PAYMENT', 'order-2-attempt-1', 'Espresso'],
  ['credit', '2.80', 'ORDER_REFUND', 'order-2', 'Refund: Espresso'],
] as const

export async function seedDemo(
  context: Context,
  { url, shopOrigin }: { url: string; shopOrigin: string },
) {
  const { db, ledger, config, passwords } = context
  const address = config.publicOrigin ?? url
  refuseLiveDeployment(config, address)
  const tools = { db, ledger, config, peppers: config.peppers }
  const register = (name: string, origin: string) =>
    createClientApp(tools, {
      name,
      creditLimit: 'unlimited',
      allowedOrigins: [origin],
      allowedIframeParents: [origin],
    })
  const shop = await register('Bean & Leaf', shopOrigin)
  const yours = await register('My shop', YOUR_ORIGIN)
  const ada = await createAccount(context, {
    ...ADA,
    passwordHash: await passwords.hash('a-wallet-for-ada'),
  })
  const adaInShop = await link(db, shop.id, ada.id)
  await writeHistory(createCoffer({ serviceUrl: url, ...shop }), adaInShop)
  const serviceUserId = await createDemoUser(tools, address, yours.clientId, '100')
  const by = { actor: 'npm run demo', actorId: null, address: null }
  const email = 'operator@example.com'
  const owner = { email, name: 'Demo operator', role: 'owner' } as const
  const { password } = await createOperator(context, by, owner)
  return {
    shop: { clientId: shop.clientId, clientSecret: shop.clientSecret },
    operator: { email, password },
    envFile: [
      `COFFER_URL=${url}`,
      `COFFER_CLIENT_ID=${yours.clientId}`,
      `COFFER_CLIENT_SECRET=${yours.clientSecret}`,
      `SERVICE_USER_ID=${serviceUserId}`,
      '',
    ].join('\n'),
    firstDebit: writeCurl(url, { ...yours, serviceUserId }),
    /** Ada has linked her wallet, Bo has not. */
    furnish(store: Store) {
      const user = store.addUser('ada', 'coffee')
      store.addUser('bo', 'coffee')
      if (user) store.saveLink(user, adaInShop)
    },
  }
}

async function writeHistory(coffer: ReturnType<typeof createCoffer>, serviceUserId: string) {
  for (const [direction, amount, referenceType, referenceId, description] of HISTORY) {
    await coffer[direction]({ serviceUserId, amount, referenceType, referenceId, description })
  }
}

function writeCurl(
  url: string,
  {
    clientId,
    clientSecret,
    serviceUserId,
  }: Record<'clientId' | 'clientSecret' | 'serviceUserId', string>,
): string {
  const credentials = { clientId, clientSecret, serviceUserId }
  const reference = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1' }
  const body = JSON.stringify({ ...credentials, amount: 19, ...reference })
  return `curl -i ${url}/api/server/wallet/debit -H 'Content-Type: application/json' -d '${body}'`
}
