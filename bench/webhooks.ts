/**
 * How long do events need to reach webhooks while others hang and fail? One process of the service sends events of many
 * apps, one webhook each, to a receiver in this process. Run: npm run bench:webhooks -- [--webhooks 1000] [--rate 500]
 * [--seconds 60] [--hanging 5] [--failing 5] (percent)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { startThrowAwayPostgres } from '../scripts/throw-away-postgres.ts'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import { readConfig } from '../server/config.ts'
import { createPool } from '../server/database/connect.ts'
import { migrate } from '../server/database/migrate.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { createWebhook } from '../server/webhooks/manage-webhooks.ts'
import { parentOf, startCpuClock } from './measure-cpu.ts'

const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    hanging: { type: 'string', default: '5' },
    failing: { type: 'string', default: '5' },
  },
})
const [WEBHOOKS, RATE, SECONDS] = [values.webhooks, values.rate, values.seconds].map(Number) as [
  number,
  number,
  number,
]
const HANGING = (WEBHOOKS * Number(values.hanging)) / 100
const FAILING = (WEBHOOKS * Number(values.failing)) / 100
const TICK_MS = 100

/** Delays of the events that reached a webhook that works, in milliseconds. */
const delays: number[] = []
const seen = new Set<string>()
let repeats = 0
const counts = { ok: 0, failing: 0, hanging: 0 }
const receiver = createServer((request, response) => {
  const kind = (request.url ?? '').slice(1) as keyof typeof counts
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    counts[kind]++
    if (kind === 'failing') return response.writeHead(500).end()
    if (kind === 'hanging') return undefined
    const event = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; createdAt: string }
    if (seen.has(event.id)) repeats++
    else delays.push(Date.now() - Date.parse(event.createdAt))
    seen.add(event.id)
    return response.end()
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port: receiverPort } = receiver.address() as AddressInfo

const postgres = await startThrowAwayPostgres({ settings: { shared_buffers: '256MB' } })
await migrate(postgres.url, () => undefined)
const [port = 0] = await findFreePorts(1)
const env = {
  PATH: process.env['PATH'],
  DATABASE_URL: postgres.url,
  SECRET_PEPPERS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
  ALLOW_LOOPBACK_WEBHOOKS: 'true',
  LOG_LEVEL: 'warn',
  PORT: String(port),
}
const config = readConfig(env)
const db = createPool(postgres.url, { size: 4, barrier: false })
const ledger = new Ledger({ databaseUrl: postgres.url })
const apps: { id: bigint; kind: keyof typeof counts }[] = []
for (let index = 0; index < WEBHOOKS; index++) {
  const kind = index < HANGING ? 'hanging' : index < HANGING + FAILING ? 'failing' : 'ok'
  const settings = { name: `App ${index}`, creditLimit: 0n, scopes: ['wallet:read' as const] }
  const { id } = await createClientApp({ db, ledger, peppers: config.peppers }, settings)
  const url = `http://127.0.0.1:${receiverPort}/${kind}`
  const creator = { clientAppId: id, secretId: null }
  await createWebhook({ db, config }, creator, { url, types: null, description: '' }, () =>
    Promise.resolve(),
  )
  apps.push({ id, kind })
}
await ledger.close()
await db.end()

const service = spawn(
  process.execPath,
  [fileURLToPath(new URL('../server/coffer.ts', import.meta.url)), 'serve'],
  { env, stdio: ['ignore', 'inherit', 'inherit'] },
)
process.once('exit', () => service.kill('SIGKILL'))
const admin = new pg.Client(postgres.url)
await admin.connect()
try {
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
    await sleep(100)
  }
  const { rows } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid')
  const readCpu = startCpuClock(parentOf(rows[0]?.pid ?? 0), service.pid)
  const choose = (index: number) => apps[(index * 7919) % apps.length]
  let sent = 0
  let wanted = 0
  const startMs = performance.now()
  while (performance.now() - startMs < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * RATE)
    const chosen = Array.from({ length: due - sent }, (_, index) => choose(sent + index))
    sent = due
    wanted += chosen.filter((app) => app?.kind === 'ok').length
    await admin.query(
      `insert into events.outbox (client_app_id, type, data)
       select id, 'link.created', '{"serviceUserId": "su_1"}' from unnest($1::bigint[]) as id`,
      [chosen.map((app) => app?.id)],
    )
    await sleep(TICK_MS)
  }
  const { postgres: database, node, others } = readCpu()
  for (let tries = 0; tries < 300 && delays.length < wanted; tries++) await sleep(100)
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN
  const perEvent = (microseconds: number) => Math.round(microseconds / sent)
  console.log(
    `${WEBHOOKS} webhooks (${HANGING} hanging, ${FAILING} failing), ${RATE} events/s for ${SECONDS} s: ` +
      `${delays.length} of ${wanted} events to those that work, ${repeats} repeated; ` +
      `delay p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.999_999)} ms; ` +
      `requests to failing ones ${counts.failing}, to hanging ones ${counts.hanging}; ` +
      `CPU per event ${perEvent(node)} µs Node and ${perEvent(database)} µs PostgreSQL; ` +
      `other processes used ${Math.round(others * 100)} % of the machine`,
  )
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  await admin.end()
  await postgres.stop()
  receiver.closeAllConnections()
  receiver.close()
}
