/** Connections to PostgreSQL: always with the restricted role, and with integers as bigint. */
import pg from 'pg'

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const SERVICE_ROLE = 'coffer_service'

/**
 * The warning that a commit did not reach its standby must arrive, but less important messages must not, whatever the
 * server or the role sets.
 */
const MESSAGES = { client_min_messages: 'warning' }

/**
 * All our statements find their rows by an index. A plan made while a table is small would read the whole table, also
 * for a while after it has grown; so the planner must not choose such plans.
 */
const PLANNER = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

/**
 * A commit that was waiting for the standby becomes visible when its server restarts, although it may not be
 * replicated. A new connection must read only durable data, so it first commits itself and waits for the standby.
 */
export const BARRIER = `select pg_logical_emit_message(true, 'coffer', '')`

export function clientConfig(
  databaseUrl: string,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all = { role: SERVICE_ROLE, timezone: 'UTC', ...PLANNER, ...MESSAGES, ...settings }
  return {
    connectionString: databaseUrl,
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    application_name: 'coffer',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  }
}

/**
 * The server ends a statement after 5 s, so that a slow query cannot block a request forever. There is no
 * client-side timeout: a commit that waits for its standby would continue on the server while the pool opens another.
 */
export function createPool(
  databaseUrl: string,
  options: { size: number; barrier: boolean },
): pg.Pool {
  const config: pg.PoolConfig = {
    ...clientConfig(databaseUrl, { statement_timeout: '5s' }),
    max: options.size,
  }
  if (options.barrier) {
    // The pool waits for the promise, though its types do not say so.
    config.onConnect = ((client: pg.ClientBase) => client.query(BARRIER)) as typeof config.onConnect
  }
  const pool = new pg.Pool(config)
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The pool does not listen while a connection is in use; its user sees the failing query.
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
  '25006', // a read-only server: it was the primary
  '25P03', // idle-in-transaction timeout
  '28', // login refused
  '3D000', // the database does not exist
  '53', // insufficient resources, too many connections
  '55000', // the database takes no connections
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
    /^(E[A-Z]{3,}|ERR_(STREAM|SOCKET)_[A-Z_]+)$/.test(code) ||
    /Connection (terminated|ended)|timeout|not queryable|Client was closed/i.test(error.message)
  )
}

/** Deadlocks, serialization failures and lock timeouts: the same statement may succeed next time. */
export function mayPassNextTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40P01', '40001', '55P03'].includes(error.code ?? '')
}
