/** The demo's data: several client apps and people with 90 days of payments, an app for the guide, an operator. */
import { randomBytes } from 'node:crypto'
import type { Store } from '../example/store.ts'
import { createOperator } from '../server/admin/operators/create-operator.ts'
import { createDemoUser } from '../server/cli/demo-user.ts'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import type { Context } from '../server/context.ts'
import { requireDemo } from '../server/database/require-demo.ts'
import { DEMO_APPS } from './demo-history.ts'
import { seedHistory } from './seed-history.ts'

export async function seedDemo(
  context: Context,
  { url, shopOrigin, appPort }: { url: string; shopOrigin: string; appPort: number },
) {
  const { db, ledger, config, passwords } = context
  await requireDemo(db)
  const tools = { db, ledger, config, peppers: config.peppers }
  const register = (name: string, origins: string[]) =>
    createClientApp(tools, {
      name,
      creditLimit: 'unlimited',
      allowedOrigins: origins,
      allowedIframeParents: origins,
    })
  const [first, ...others] = DEMO_APPS
  const shop = await register(first?.name ?? '', [shopOrigin])
  const apps = [shop]
  for (const { name } of others) apps.push(await register(name, []))
  const appOrigin = `http://localhost:${appPort}`
  const yours = await register('My shop', [appOrigin])
  const passwordHash = await passwords.hash('a-wallet-for-ada')
  const ada = await seedHistory(context, apps, passwordHash)
  const serviceUserId = await createDemoUser(tools, yours.clientId, '100')
  const by = { actor: 'npm run demo', actorId: null, address: null }
  const email = 'operator@example.com'
  const owner = { email, name: 'Demo operator', role: 'owner' } as const
  const { password } = await createOperator(context, by, owner)
  return {
    shop: { clientId: shop.clientId, clientSecret: shop.clientSecret },
    operator: { email, password },
    /** Where the integration guide runs its page. */
    appOrigin,
    envFile: [
      `PORT=${appPort}`,
      `COFFER_URL=${url}`,
      `COFFER_CLIENT_ID=${yours.clientId}`,
      `COFFER_CLIENT_SECRET=${yours.clientSecret}`,
      `SERVICE_USER_ID=${serviceUserId}`,
      // The guide signs with it and verifies with it; the service does not know it.
      `COFFER_WEBHOOK_SECRET=whsec_${randomBytes(32).toString('base64')}`,
      '',
    ].join('\n'),
    firstDebit: writeCurl(url, { ...yours, serviceUserId }),
    /** Ada has linked her wallet, Bo has not. */
    addShop(store: Store) {
      const user = store.addUser('ada', 'coffee')
      store.addUser('bo', 'coffee')
      if (user) store.saveLink(user, ada.serviceUserId)
    },
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
