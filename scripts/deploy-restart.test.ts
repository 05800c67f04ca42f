/** Two service processes behind nginx and HAProxy are restarted one after the other, while clients send requests. */
import { batch } from '@coffer/contract/server/batch'
import { debit, exchangeLinkCode, readWallet } from '@coffer/contract/server/wallet'
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { spawnService, startOwnHarness, type ServiceProcess } from '../server/test/harness.ts'
import { findFreePorts } from './find-free-ports.ts'
import { skipWithout } from './find-program.ts'
import { prepareProxy, requestProxy, type ProxyName } from './run-proxy.ts'

const CLIENTS = 8
/** Between two requests of a client. */
const PAUSE_MS = 40
const BALANCE = 10_000_000n

describe('a rolling restart', { concurrency: true }, () => {
  for (const name of ['nginx', 'haproxy'] as const) {
    it(`fails no request behind ${name}`, { skip: skipWithout(name) }, async (test) => {
      const report = await restartBehindProxy(name, { rounds: 1 })
      test.diagnostic(JSON.stringify(report))
      assert.deepEqual(report.failures, {})
      assert.equal(report.debits.executed, report.debits.confirmed)
      assert(report.requests > 200)
    })
  }
})

interface RestartReport {
  requests: number
  restarts: number
  /** Requests with an unexpected status, as "method path status body", and how often. */
  failures: Record<string, number>
  /** Debits that got the response 200, and debits in the ledger. */
  debits: { confirmed: number; executed: number }
}

async function restartBehindProxy(
  name: ProxyName,
  { rounds, signal = 'SIGTERM' }: { rounds: number; signal?: NodeJS.Signals },
): Promise<RestartReport> {
  const harness = await startOwnHarness()
  const ports = await findFreePorts(2)
  const start = (port: number) =>
    spawnService(harness.databaseUrl, { PORT: `${port}`, TRUST_PROXY: '127.0.0.1' })
  const services = await Promise.all(ports.map(start))
  const proxy = await prepareProxy(
    name,
    ports.map((port) => `127.0.0.1:${port}`),
  )
  try {
    await proxy.start()
    const app = await makeClientApp(harness.context)
    const { serviceUserId } = await makeLinkedUser(harness.context, app, BALANCE)
    const load = new Load(proxy.port, { ...app, serviceUserId })
    await load.untilServed()
    const clients = Array.from({ length: CLIENTS }, (_, index) => load.run(index))
    await sleep(1_000)
    for (let round = 0; round < rounds; round++) {
      for (const [index, port] of ports.entries()) {
        await services[index]?.kill(signal)
        services[index] = await start(port)
      }
    }
    await sleep(1_000)
    load.isOver = true
    await Promise.all(clients)
    const { rows } = await harness.admin.query<{ count: number }>(
      `select count(*)::int as count from ledger.operations where reference_type = 'RESTART'`,
    )
    const { requests, failures, confirmed } = load
    const executed = rows[0]?.count ?? 0
    return { requests, failures, restarts: rounds * ports.length, debits: { confirmed, executed } }
  } finally {
    await proxy.stop()
    proxy.remove()
    await Promise.all(services.map((service: ServiceProcess) => service.kill('SIGKILL')))
    await harness.end()
  }
}

interface Caller {
  clientId: string
  clientSecret: string
  serviceUserId: string
}

/** Clients that send reads, requests that may be repeated, and requests that may not, without any repeat of their own. */
class Load {
  requests = 0
  confirmed = 0
  readonly failures: Record<string, number> = {}
  isOver = false
  readonly #port: number
  readonly #caller: Caller

  constructor(port: number, { clientId, clientSecret, serviceUserId }: Caller) {
    this.#port = port
    this.#caller = { clientId, clientSecret, serviceUserId }
  }

  async untilServed() {
    while ((await requestProxy(this.#port, '/docs')).status !== 200) await sleep(100)
  }

  /** Every second client keeps its connection. */
  async run(client: number) {
    const agent = client % 2 === 0 && new Agent({ keepAlive: true, maxSockets: 1 })
    for (let index = 0; !this.isOver; index++) {
      await this.#sendNext(`${client}-${index}`, (client + index) % 6, agent)
      await sleep(PAUSE_MS)
    }
    if (agent) agent.destroy()
  }

  async #sendNext(id: string, kind: number, agent: Agent | false) {
    const { clientId, clientSecret, serviceUserId } = this.#caller
    const credentials = { clientId, clientSecret }
    const order = { serviceUserId, amount: 0.01, referenceType: 'RESTART' }
    switch (kind) {
      case 0: {
        const query = new URLSearchParams({ ...credentials, serviceUserId })
        return this.#send(`${readWallet.path}?${query}`, undefined, 200, agent)
      }
      case 1:
        return this.#send('/account', undefined, 200, agent)
      case 2: {
        const body = { ...credentials, ...order, referenceId: id }
        if (await this.#send(debit.path, body, 200, agent)) this.confirmed += 1
        return
      }
      case 3: {
        const operations = ['a', 'b'].map((part) => ({
          ...order,
          type: 'debit',
          referenceId: `${id}-${part}`,
        }))
        if (await this.#send(batch.path, { ...credentials, operations }, 200, agent))
          this.confirmed += 2
        return
      }
      case 4:
        return this.#send(createSession.path, { ...credentials, serviceUserId }, 200, agent)
      default: {
        const body = { ...credentials, linkCode: 'unknown' }
        return this.#send(exchangeLinkCode.path, body, 400, agent)
      }
    }
  }

  async #send(path: string, body: object | undefined, expected: number, agent: Agent | false) {
    const content = body && {
      body: JSON.stringify(body),
      'content-type': 'application/json',
    }
    const response = await requestProxy(this.#port, path, content, agent)
    const { status } = response
    this.requests++
    if (status === expected) return true
    const [route = ''] = path.split('?', 1)
    const failure = `${body ? 'POST' : 'GET'} ${route} ${status} ${response.body.slice(0, 200)}`
    this.failures[failure] = (this.failures[failure] ?? 0) + 1
    return false
  }
}
