/** `npm run dev`: everything for a first debit and a first top-up: a PostgreSQL, a card processor, a client app, a user. */
import { randomBytes } from 'node:crypto'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { createDemoUser } from '../server/cli/demo-user.ts'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/http/create-log.ts'
import { migrate } from '../server/database/migrate.ts'
import { startService } from '../server/start-service.ts'
import { startThrowAwayPostgres } from './throw-away-postgres.ts'

const given = process.env['DATABASE_URL'] || undefined
if (!given) console.log('Starting a PostgreSQL of our own; it is thrown away at the end …')
const postgres = given ? undefined : await startThrowAwayPostgres({})
const sandbox = process.env['STRIPE_SECRET_KEY'] ? undefined : await startSandbox()
const config = readConfig({
  ...(sandbox && {
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.publicUrl}/v3/`,
  }),
  SECRET_PEPPERS: `dev:${randomBytes(32).toString('base64')}`,
  ...process.env,
  DATABASE_URL: given ?? postgres?.url,
})
await migrate(config.databaseUrl, () => undefined)
const service = await startService(config, { log: createLog('warn') })
const { db, ledger } = service.context
const tools = { db, ledger, config, peppers: config.peppers }
const app = await createClientApp(tools, { name: 'Demo shop', creditLimit: 'unlimited' })
const serviceUserId = await createDemoUser(tools, app.clientId, '100')
const url = await service.app.listen({ host: config.host, port: config.port })
sandbox?.addWebhookEndpoint(`${url}/api/processor/webhook`)

const body = {
  clientId: app.clientId,
  clientSecret: app.clientSecret,
  serviceUserId,
  amount: config.currency.exponent === 0 ? 20 : 19.99,
  referenceType: 'ORDER_PAYMENT',
  referenceId: 'order-1',
}
console.log(`
Coffer runs at ${url}. API reference: ${url}/docs

A client app and a linked user with 100 ${config.currency.code} are ready. The first debit, in another terminal:

curl -i ${url}/api/server/wallet/debit -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'

Send it twice: the second answer is the first one again.

Sign up as a person and see the wallet: ${url}/widget/wallet?clientId=${app.clientId}
Your own page: ${url}/account. ${sandbox ? 'Cards are those of the sandbox: 4242 4242 4242 4242 succeeds.' : ''}
Ctrl-C stops everything.
`)

let isStopping = false
async function stop() {
  if (isStopping) return
  isStopping = true
  await service.stop()
  await sandbox?.close()
  await postgres?.stop()
  process.exit(0)
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
