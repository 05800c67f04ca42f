/**
 * How long do events need to reach feeds and webhooks, while other webhooks hang and fail? The service sends events of
 * many apps, one webhook each, to a receiver in this process.
 *
 *   npm run bench:webhooks                     a minute, one process of the service
 *   … --webhooks 1000                          number of apps, one webhook each
 *   … --rate 500                               events per second
 *   … --seconds 60
 *   … --hanging 5 --failing 5                  percent of the webhooks
 *   … --feeds 100                              apps that read their feed too
 *   … --debits 50 --processes 2                debits of random wallets, at this percentage of the capacity
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import { readConfig } from '../server/config.ts'
import { createPool } from '../server/database/connect.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { createWebhook } from '../server/events/webhooks/manage-webhooks.ts'
import { Delays } from './events/delays.ts'
import { readFeed } from './events/read-feed.ts'
import { startReceiver, type Receiver, type ReceiverKind } from './events/receive-webhooks.ts'
import { startCpuClock } from './measure-cpu.ts'
import { warmUp } from './measure.ts'
import { withSetup, type Setup } from './prepare.ts'
import { requireWrk } from './run-generator.ts'
import { runService, startService, type Service } from './run-service.ts'
import { QUICK, SCENARIOS } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    hanging: { type: 'string', default: '5' },
    failing: { type: 'string', default: '5' },
    feeds: { type: 'string', default: '100' },
    debits: { type: 'string', default: '0' },
    processes: { type: 'string', default: '1' },
  },
})
const WEBHOOKS = Number(values.webhooks)
const RATE = Number(values.rate)
const SECONDS = Number(values.seconds)
const HANGING = (WEBHOOKS * Number(values.hanging)) / 100
const FAILING = (WEBHOOKS * Number(values.failing)) / 100
const FEEDS = Number(values.feeds)
const DEBITS = Number(values.debits) / 100
const TICK_MS = 100
const LAST_EVENTS_SECONDS = 30
const CONNECTIONS = 512
const DEBIT = SCENARIOS.filter(({ name }) => name === 'uniform')

interface App {
  id: bigint
  kind: ReceiverKind
  clientId: string
  clientSecret: string
}

async function createApps({ target: { url }, peppers }: Setup, receiver: Receiver): Promise<App[]> {
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_PEPPERS: peppers,
    ALLOW_LOOPBACK_WEBHOOKS: 'true',
  })
  const db = createPool(url, { size: 4, barrier: false })
  const ledger = new Ledger({ databaseUrl: url })
  const apps: App[] = []
  for (let index = 0; index < WEBHOOKS; index++) {
    const kind = index < HANGING ? 'hanging' : index < HANGING + FAILING ? 'failing' : 'ok'
    const settings = { name: `App ${index}`, creditLimit: 0n, scopes: ['wallet:read' as const] }
    const app = await createClientApp({ db, ledger, peppers: config.peppers }, settings)
    const creator = { clientAppId: app.id, secretId: null }
    const webhook = { url: receiver.urlOf(kind), types: null, description: '' }
    await createWebhook({ db, config }, creator, webhook, () => Promise.resolve())
    apps.push({ ...app, kind })
  }
  await ledger.close()
  await db.end()
  return apps
}

/** Events at a fixed rate, of all apps in turn. Returns how many there were, and how many of apps that work. */
async function addEvents({ control }: Setup, apps: readonly App[]) {
  const choose = (index: number) => apps[(index * 7919) % apps.length] as App
  const counts = { all: 0, ok: 0, inFeeds: 0 }
  const readers = new Set(listReaders(apps))
  const startMs = performance.now()
  while (performance.now() - startMs < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * RATE)
    const chosen = Array.from({ length: due - counts.all }, (_, index) =>
      choose(counts.all + index),
    )
    counts.all = due
    counts.ok += chosen.filter(({ kind }) => kind === 'ok').length
    counts.inFeeds += chosen.filter((app) => readers.has(app)).length
    await control.query(
      `insert into events.outbox (client_app_id, type, data)
       select id, 'link.created', '{"serviceUserId": "su_1"}' from unnest($1::bigint[]) as id`,
      [chosen.map(({ id }) => id)],
    )
    await sleep(TICK_MS)
  }
  return counts
}

function listReaders(apps: readonly App[]): App[] {
  return apps.filter(({ kind }) => kind === 'ok').slice(0, FEEDS)
}

/** Debits at a fixed rate beside the events, after the capacity was measured. */
async function prepareDebits(setup: Setup, service: Service): Promise<() => Promise<string>> {
  const [debit] = DEBIT
  if (DEBITS === 0 || debit === undefined) return () => Promise.resolve('no debits')
  await requireWrk()
  const { connections } = await warmUp(setup, service, debit, { plan: QUICK })
  const { rate } = await runService(setup, service, debit, { connections, seconds: 10 })
  return async () => {
    const load = { connections: CONNECTIONS, seconds: SECONDS, offered: rate * DEBITS }
    const run = await runService(setup, service, debit, load)
    return (
      `${Math.round(run.rate)} debits/s of a capacity of ${Math.round(rate)}, ${run.bad} bad responses ${run.firstBad}, ` +
      `p99 ${run.p99Ms.toFixed(0)} ms`
    )
  }
}

async function measure(setup: Setup, service: Service, apps: readonly App[], receiver: Receiver) {
  const runDebits = await prepareDebits(setup, service)
  const feeds = new Delays()
  const stop = new AbortController()
  const readers = listReaders(apps).map((app) => readFeed(service.url, app, feeds, stop.signal))
  const readCpu = startCpuClock(setup.postmasterPid, service.process.pid)
  const debits = runDebits()
  const events = await addEvents(setup, apps)
  const cpu = readCpu()
  const isComplete = () => receiver.delays.count >= events.ok && feeds.count >= events.inFeeds
  for (let tries = 0; tries < LAST_EVENTS_SECONDS * 10 && !isComplete(); tries++) await sleep(100)
  stop.abort()
  await Promise.all(readers)
  const perEvent = (microseconds: number) => Math.round(microseconds / events.all)
  console.log(
    `${WEBHOOKS} webhooks (${HANGING} hanging, ${FAILING} failing), ${RATE} events/s for ${SECONDS} s; ${await debits}\n` +
      `webhooks that work: ${receiver.delays.count} of ${events.ok} events, ${receiver.delays.repeated} repeated, ${receiver.delays.describe()}\n` +
      `${readers.length} feeds: ${feeds.count} of ${events.inFeeds} events, ${feeds.repeated} repeated, ${feeds.describe()}\n` +
      `requests to failing webhooks ${receiver.requests.failing}, to hanging ones ${receiver.requests.hanging}\n` +
      `CPU per event, debits included: ${perEvent(cpu.node)} µs Node and ${perEvent(cpu.postgres)} µs PostgreSQL; ` +
      `other processes used ${Math.round(cpu.others * 100)} % of the machine`,
  )
}

const receiver = await startReceiver()
await withSetup(QUICK.wallets, async (setup) => {
  const apps = await createApps(setup, receiver)
  const service = await startService(setup, {
    settings: { ALLOW_LOOPBACK_WEBHOOKS: 'true', LOG_LEVEL: 'warn', PROCESSES: values.processes },
  })
  try {
    await measure(setup, service, apps, receiver)
  } finally {
    await service.stop()
    receiver.close()
  }
})
