/**
 * Finds connections that have gone silent: packets are lost, but neither end closes the connection. The operating
 * system may need minutes to notice, and until then every statement on it waits.
 */
import pg from 'pg'

/** How long a statement may wait without a byte from the server before the connection is checked. */
export const SILENT_MS = 10_000
const CHECK_MS = 1_000
const ASK_MS = 4_000

/** Members of pg.Client that its types do not have. */
interface Internals {
  connection: { stream: { bytesRead: number; destroy(error: Error): void } }
  /** False while the server owes a response. */
  readyForQuery: boolean
  processID: number
}

interface Watched {
  internals: Internals
  bytesRead: number
  /** When the last byte arrived, or when there was last nothing to wait for. */
  heardMs: number
  /** The server is working for this connection, so that the wait has a reason. */
  isWorking: boolean
}

/**
 * A commit that waits for its standby sends nothing either. Closing its connection would leave the backend waiting, and
 * every new attempt would add another one. So a new connection first reads what the server is doing for each silent
 * one. If the new connection fails as well, replacing the others would not help, and all are kept.
 */
export class ConnectionWatch {
  /** For the connection that asks the server about the silent ones. */
  readonly #config: pg.ClientConfig
  readonly #watched = new Map<pg.ClientBase, Watched>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  /** Call this when the connection is open, before its first statement. */
  add(client: pg.ClientBase) {
    const internals = client as unknown as Internals
    const heardMs = performance.now()
    this.#watched.set(client, { internals, bytesRead: 0, heardMs, isWorking: false })
    client.once('end', () => this.#remove(client))
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  get hasSilent(): boolean {
    return this.#findSilent().some(({ isWorking }) => !isWorking)
  }

  #remove(client: pg.ClientBase) {
    this.#watched.delete(client)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Also updates when each connection was last heard. */
  #findSilent(): Watched[] {
    const nowMs = performance.now()
    const silent: Watched[] = []
    for (const watched of this.#watched.values()) {
      const { bytesRead } = watched.internals.connection.stream
      if (watched.internals.readyForQuery || bytesRead !== watched.bytesRead) {
        Object.assign(watched, { bytesRead, heardMs: nowMs, isWorking: false })
      } else if (nowMs - watched.heardMs >= SILENT_MS) {
        silent.push(watched)
      }
    }
    return silent
  }

  async #check() {
    const pids = this.#findSilent().map(({ internals }) => internals.processID)
    if (pids.length === 0 || this.#isAsking) return
    this.#isAsking = true
    try {
      const { working, isWaitingForStandby } = await askServer(this.#config, pids)
      // A byte may have arrived meanwhile.
      for (const watched of this.#findSilent()) {
        const { processID, connection } = watched.internals
        if (!pids.includes(processID)) continue
        // The process ids of a pooler are not those of the server.
        watched.isWorking = working.get(processID) ?? isWaitingForStandby
        if (watched.isWorking) continue
        const seconds = SILENT_MS / 1_000
        connection.stream.destroy(
          new Error(`Connection timeout: the server did not respond for ${seconds} s.`),
        )
      }
    } catch {
      // The server is down, not the connection. The next check asks again.
    } finally {
      this.#isAsking = false
    }
  }
}

/** PostgreSQL shows what a session waits for only to its own role, so the query runs as the role that logged in. */
const LEAVE_ROLE = 'set role none'

const LIST_SESSIONS = `select pid, wait_event is not distinct from 'SyncRep' as is_waiting_for_standby,
    state = 'active' and wait_event_type is distinct from 'Client' as is_working
  from pg_stat_activity where application_name = $2 and (pid = any($1::int[]) or wait_event = 'SyncRep')`

interface SessionRow {
  pid: number
  is_waiting_for_standby: boolean
  is_working: boolean | null
}

async function askServer(config: pg.ClientConfig, pids: readonly number[]) {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(LEAVE_ROLE)
    const { rows } = await client.query<SessionRow>(LIST_SESSIONS, [pids, config.application_name])
    return {
      working: new Map(rows.map((row) => [row.pid, row.is_working === true])),
      isWaitingForStandby: rows.some((row) => row.is_waiting_for_standby),
    }
  } finally {
    client.end().catch(() => undefined)
  }
}
