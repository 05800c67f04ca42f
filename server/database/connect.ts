/** Connections to PostgreSQL: always with the restricted role, and with integers as bigint. */
import pg from 'pg'
import { ConnectionWatch } from './watch-connections.ts'

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const SERVICE_ROLE = 'coffer_service'

/**
 * The warning that a commit did not reach its standby must arrive, and messages of lower severity must not, whatever
 * the settings of the server and the role are.
 */
const MESSAGES = { client_min_messages: 'warning' }

/**
 * All our statements find their rows with an index. While a table is small, the planner would choose to read all of it,
 * and keep that plan for a while after the table has grown. These settings prevent such plans.
 */
const PLANNER = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

/**
 * A commit that was waiting for the standby becomes visible when its server restarts, although it may not be
 * replicated. A new connection must read only replicated data, so it first makes a commit of its own, which waits for
 * the standby.
 */
export const BARRIER = `select pg_logical_emit_message(true, 'coffer', '')`

/** Both ends notice a lost idle connection within about 20 s, and the server removes its session and its locks. */
const KEEP_ALIVE_MS = 10_000
const KEEP_ALIVE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20s',
}

/** Of every connection. */
const CONNECTION: pg.ClientConfig = {
  application_name: 'coffer',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  types,
}

type Settings = Record<string, string>

/** The settings of a session that a pooler may drop. Those of TCP are about the connection itself. */
function sessionSettings(settings: Settings): Settings {
  return {
    role: SERVICE_ROLE,
    timezone: 'UTC',
    ...PLANNER,
    ...MESSAGES,
    ...settings,
  }
}

function toOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

export function clientConfig(databaseUrl: string, settings: Settings = {}): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    ...CONNECTION,
    options: toOptions({ ...sessionSettings(settings), ...KEEP_ALIVE }),
  }
}

/** For commands that change tables: the role that logs in, which is the owner, and not the service's. */
export function ownerConfig(databaseUrl: string): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    ...CONNECTION,
    options: toOptions({ timezone: 'UTC', ...KEEP_ALIVE }),
  }
}

/**
 * A pooler such as PgBouncer drops the settings that are sent when a connection starts, so that the service would run
 * without its restricted role and its timeouts. This sets what is missing, and throws if the server did not accept it.
 */
export async function checkSession(client: pg.ClientBase, settings: Settings = {}): Promise<void> {
  const wanted = Object.entries(sessionSettings(settings))
  const read = async () => {
    const names = wanted.map(([name]) => name)
    const { rows } = await client.query<{ value: string }>(READ_SETTINGS, [names])
    return wanted.filter(([, value], index) => rows[index]?.value !== value)
  }
  const dropped = await read()
  if (dropped.length === 0) return
  const [names, values] = [dropped.map(([name]) => name), dropped.map(([, value]) => value)]
  await client.query(SET_SETTINGS, [names, values])
  const [wrong] = await read()
  if (wrong) throw new Error(`The database connection lost its setting ${wrong.join(' = ')}.`)
}

const READ_SETTINGS = `select current_setting(name) as value
  from unnest($1::text[]) with ordinality as x(name, place) order by place`
const SET_SETTINGS = `select set_config(name, value, false) from unnest($1::text[], $2::text[]) as x(name, value)`

/**
 * The server ends a statement after 5 s, so that a slow query cannot block a request forever. There is no client-side
 * timeout: it would abandon a commit that waits for its standby, which would continue on the server while the pool
 * opens another connection.
 */
export function createPool(
  databaseUrl: string,
  options: { size: number; barrier: boolean },
): pg.Pool {
  const settings = { statement_timeout: '5s' }
  const config = clientConfig(databaseUrl, settings)
  const watch = new ConnectionWatch(config)
  // The pool waits for the promise, although its types do not declare it.
  const onConnect = (async (client: pg.ClientBase) => {
    watch.add(client)
    await checkSession(client, settings)
    if (options.barrier) await client.query(BARRIER)
  }) as pg.PoolConfig['onConnect']
  const pool = new pg.Pool({ ...config, max: options.size, onConnect })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The pool does not listen for errors while a connection is in use; the code that uses it gets a failing query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * SQLSTATE codes and classes of codes after which a connection is unusable. The severity (FATAL, PANIC) would be
 * equivalent, but the server translates it. If an error with another code ends the connection, the next statement fails
 * without a code.
 */
const CONNECTION_FAILURES = [
  '08', // connection exception
  '25006', // a read-only server, such as a former primary
  '25P03', // idle-in-transaction timeout
  '28', // login refused
  '3D000', // the database does not exist
  '53', // insufficient resources, too many connections
  '55000', // the database accepts no connections
  '57014', // the statement took too long
  '57P', // shut down, crashed, starting up, idle timeout
]

/** Whether the server or the connection failed, and not the statement itself. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) {
    return CONNECTION_FAILURES.some((each) => code.startsWith(each))
  }
  // System errors and errors of a closed socket; errors that the driver raises itself have no code.
  return (
    /^(E[A-Z]{3,}|EAI_[A-Z]+|ERR_(STREAM|SOCKET)_[A-Z_]+)$/.test(code) ||
    /Connection (terminated|ended)|timeout|not queryable|Client was closed/i.test(error.message)
  )
}

/** Deadlocks, serialization failures and lock timeouts: the same statement may succeed next time. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40P01', '40001', '55P03'].includes(error.code ?? '')
}
