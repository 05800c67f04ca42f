/** The demo, started by start-demo.js: starts PostgreSQL, a card processor sandbox, the service and a shop, and fills them with data. */
import { intro, log, note, outro, spinner } from '@clack/prompts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startShop } from '../example/start-shop.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/http/create-log.ts'
import { migrate } from '../server/database/migrate.ts'
import { startService } from '../server/start-service.ts'
import { stripeEnv } from '../sandbox/stripe-env.ts'
import { forwardWebhooks } from './forward-webhooks.ts'
import { seedDemo } from './seed-demo.ts'
import { startInbox } from './start-inbox.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

const { values } = parseArgs({
  options: {
    env: { type: 'string' },
    port: { type: 'string', default: process.env['PORT'] ?? '8080' },
    'shop-port': { type: 'string', default: '3000' },
    'app-port': { type: 'string', default: '4000' },
    'mail-port': { type: 'string', default: '8025' },
  },
})
const given = process.env['DATABASE_URL'] || undefined
const closers: (() => Promise<unknown>)[] = []
/** A spinner in a terminal; otherwise one line per step. */
const progress = process.stdout.isTTY
  ? spinner()
  : { start: () => undefined, stop: log.step, error: log.error }

/** Shows the progress of a step, and stops everything if the step fails. */
async function step<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  progress.start(name)
  try {
    const result = await act()
    progress.stop(name)
    return result
  } catch (error) {
    progress.error(`${name}: ${explain(error)}`)
    await stop(1)
    throw error
  }
}

function explain(error: unknown): string {
  const { code, port, message } = error as { code?: string; port?: number; message?: string }
  if (code === 'EADDRINUSE')
    return `port ${port} is in use. Choose another one: npm run demo -- --help lists the options.`
  return message ?? String(error)
}

async function stop(status: number) {
  // Idle connections of browsers must not delay the exit.
  for (const close of closers.splice(0).toReversed()) await Promise.race([close(), pause(3_000)])
  process.exit(status)
}
process.once('SIGINT', () => void stop(0))
process.once('SIGTERM', () => void stop(0))

intro('Coffer, on your machine. No real money moves.')
const databaseUrl =
  given ??
  (await step('temporary PostgreSQL server, removed at the end', async () => {
    const postgres = await startTemporaryPostgres({})
    closers.push(() => postgres.stop())
    return postgres.url
  }))
await step('Schema', () => migrate(databaseUrl, () => undefined, true))
const sandbox = await step('Card processor that moves no money', () => startSandbox())
closers.push(() => sandbox.close())
const inbox = await step('Inbox', () => startInbox(Number(values['mail-port'])))
closers.push(() => inbox.close())
const { service, url } = await step('Service', async () => {
  const config = readConfig({
    ...stripeEnv(sandbox),
    SECRET_PEPPERS: `demo:${randomBytes(32).toString('base64')}`,
    // Safari keeps no cookie with `Secure` from http://localhost.
    ALLOW_HTTP_LOGIN: 'true',
    ADMIN_KEYS: `demo:${randomBytes(32).toString('base64')}`,
    ...process.env,
    PORT: values.port,
    DATABASE_URL: databaseUrl,
  })
  const running = await startService(config, { log: createLog('warn'), mailer: inbox.mailer })
  closers.push(() => running.stop())
  const address = await running.app.listen({ host: config.host, port: config.port })
  sandbox.addWebhookEndpoint(`${address}/api/processor/webhook`)
  return { service: running, url: address }
})
const shopPort = Number(values['shop-port'])
const seeded = await step('Client apps, people and some history', () =>
  seedDemo(service.context, {
    url,
    shopOrigin: `http://localhost:${shopPort}`,
    appPort: Number(values['app-port']),
  }),
)
const shop = await step('Shop', async () => {
  const coffer = { serviceUrl: url, ...seeded.shop }
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`
  const running = await startShop({ coffer, webhookSecret, file: ':memory:', port: shopPort })
  closers.push(() => running.close())
  const forwarding = forwardWebhooks(coffer, `${running.url}/webhooks`, webhookSecret)
  closers.push(() => forwarding.stop())
  return running
})
seeded.addShop(shop.store)
if (values.env) {
  const file = resolve(process.env['INIT_CWD'] ?? '.', values.env)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, seeded.envFile, { mode: 0o600 })
  log.step(`Credentials of an app of your own at ${seeded.appOrigin}, in ${values.env}`)
}
note(
  `Shop    ${shop.url}
        as ada or bo, password coffee; ada has linked her wallet
Wallet  ${url}/account
        ada@example.com, a-wallet-for-ada
Admin   ${url}/admin
        ${seeded.operator.email}, ${seeded.operator.password}
Docs    ${url}/docs
Mail    ${inbox.url}, the emails of the service
Card    4242 4242 4242 4242, any future date and code`,
  // Since the start of this process, which has also built the pages.
  `Ready after ${(performance.now() / 1000).toFixed(1)} s`,
)
outro('Ctrl-C stops everything. The first debit, in another terminal:')
process.stdout.write(`${seeded.firstDebit}\n`)
