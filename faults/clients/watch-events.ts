/**
 * Reads the feeds of the apps and receives their webhooks while faults are injected. A reader stores its cursor after each
 * page, as an app does; the receiver rejects some events once, and cuts some connections before the response.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/config.ts'
import { createPool } from '../../server/database/connect.ts'
import { createWebhook } from '../../server/events/webhooks/manage-webhooks.ts'
import type { App } from '../setup/create-accounts.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'

/** An event as the app got it, without its cursor. */
export interface SeenEvent {
  id: string
  sequence: number
  text: string
}

export interface SeenByApp {
  clientId: string
  feed: SeenEvent[]
  /** By id. */
  received: Map<string, SeenEvent>
  /** The number of the last event before the webhook was created. */
  before: number
}

const FIND_NEWEST = `select a.id, coalesce(f.last_sequence, 0) as newest
  from directory.client_apps a left join events.feeds f on f.client_app_id = a.id where a.client_id = $1`
/** Only one app: each change by another app or a top-up is an event for it. */
const ENABLE_BALANCE_EVENTS =
  'update directory.client_apps set balance_events_since = now() where client_id = $1'
const SKIP_LONG_WAITS = `with skipped as (
    update events.deliveries set next_attempt_at = now()
    where delivered_at is null and failures > 1 and next_attempt_at > now() returning webhook_id
  )
  update events.webhooks set due_at = now() where id in (select webhook_id from skipped)`
const WAIT_SECONDS = 1
const PAUSE_MS = 200
/** A lease of a process that was killed ends after a minute. */
const RESOLVE_SECONDS = 100
/** The receiver rejects the first delivery of every 11th event. */
const REJECTED = 11
const CUT = 17

interface Page {
  events: ({ cursor: string } & Omit<SeenEvent, 'text'>)[]
  nextCursor: string
}

export class EventWatch {
  readonly seen: readonly SeenByApp[]
  readonly #setup: Setup
  readonly #server: Server
  readonly #readers: Promise<void>[]
  /** The ids of all events that a request has brought. */
  readonly #arrived = new Set<string>()
  #isOver = false

  private constructor(setup: Setup, server: Server, before: ReadonlyMap<string, number>) {
    this.#setup = setup
    this.#server = server
    this.seen = setup.apps.map(({ clientId }) => ({
      clientId,
      feed: [],
      received: new Map(),
      before: before.get(clientId) ?? 0,
    }))
    this.#readers = setup.apps.map((app, index) => this.#read(app, this.seen[index] as SeenByApp))
  }

  static async start(setup: Setup): Promise<EventWatch> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const watch = new EventWatch(setup, server, await createWebhooks(setup, port))
    watch.#receive()
    return watch
  }

  #receive() {
    this.#server.on('request', (request, response) => {
      const app = this.seen[Number(request.url?.slice(1))]
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const event = JSON.parse(text) as Omit<SeenEvent, 'text'>
        const isNew = !this.#arrived.has(event.id)
        this.#arrived.add(event.id)
        if (isNew && this.#arrived.size % REJECTED === 0) return void response.writeHead(500).end()
        app?.received.set(event.id, { id: event.id, sequence: event.sequence, text })
        if (isNew && this.#arrived.size % CUT === 0) return void request.socket.destroy()
        response.end()
      })
    })
  }

  async #read({ authorization }: App, { feed }: SeenByApp): Promise<void> {
    let after = ''
    // After the end, until nothing is left.
    for (let isLast = false; !isLast;) {
      isLast = this.#isOver
      const path = `/api/server/events?waitSeconds=${WAIT_SECONDS}${after && `&after=${after}`}`
      const response = await this.#setup.caller
        .send({ method: 'GET', path, authorization, timeoutMs: 10_000 })
        .catch(() => undefined)
      if (response?.status !== 200) {
        isLast = false
        await sleep(PAUSE_MS)
        continue
      }
      const { events, nextCursor } = JSON.parse(response.text) as Page
      for (const { cursor: _, ...event } of events) {
        feed.push({ id: event.id, sequence: event.sequence, text: JSON.stringify(event) })
      }
      if (events.length > 0) isLast = false
      after = nextCursor
    }
  }

  /** Waits until every event is numbered and delivered, then until the readers have all. */
  async finish(): Promise<void> {
    for (let tries = 0; tries < RESOLVE_SECONDS * 2 && (await this.#isPending()); tries++) {
      await sleep(500)
    }
    this.#isOver = true
    await Promise.all(this.#readers)
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /**
   * A rejected event comes again after 5 seconds. One that a killed process had lost before comes again after minutes, so
   * that wait is skipped.
   */
  #isPending(): Promise<boolean> {
    return withAdmin(this.#setup.database.url, async (admin) => {
      await admin.query(SKIP_LONG_WAITS)
      const { rows } = await admin.query<{ is_pending: boolean }>(`select
        exists (select from ledger.operations where created_at >= (select read_to from books.reader_position))
          or exists (select from events.changed_balances)
          or exists (select from events.outbox)
          or exists (select from events.deliveries where delivered_at is null) as is_pending`)
      return rows[0]?.is_pending === true
    })
  }
}

/** Returns the number of the newest event of each app, once all have one. */
async function createWebhooks({ apps, env }: Setup, port: number): Promise<Map<string, number>> {
  const before = new Map<string, number>()
  const config = readConfig({ ...env, ALLOW_LOOPBACK_WEBHOOKS: 'true' })
  const db = createPool(config.databaseUrl, { size: 1, barrier: false })
  try {
    while ((await db.query('select from events.outbox limit 1')).rowCount !== 0) await sleep(100)
    for (const [index, { clientId }] of apps.entries()) {
      const { rows } = await db.query<{ id: bigint; newest: bigint }>(FIND_NEWEST, [clientId])
      before.set(clientId, Number(rows[0]?.newest ?? 0n))
      const creator = { clientAppId: rows[0]?.id ?? 0n, secretId: null }
      const url = `http://127.0.0.1:${port}/${index}`
      const settings = { url, types: null, description: '' }
      await createWebhook({ db, config }, creator, settings, () => Promise.resolve())
    }
    await db.query(ENABLE_BALANCE_EVENTS, [apps[0]?.clientId])
    return before
  } finally {
    await db.end()
  }
}
