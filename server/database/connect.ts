/** How the service reaches PostgreSQL: always as the restricted role, with integers as bigint. */
import pg from 'pg'

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const SERVICE_ROLE = 'coffer_service'

/**
 * The warning that a commit did not reach its standby must arrive, and nothing less important should, whatever the
 * server or the role sets.
 */
const MESSAGES = { client_min_messages: 'warning' }

/**
 * Every statement of ours finds its rows by an index. A plan that was made while a table was small would read all of
 * it, and go on doing so for a while after it has grown; so the planner is told what we know.
 */
const PLANNER = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

/**
 * A commit that was waiting for the standby becomes visible when its server restarts, though it may not be
 * replicated. Whatever a new connection reads must be durable, so its first act is a commit that waits in its turn.
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
 * The server ends a statement after 5 s, so that a slow query cannot hold a request for ever. No timeout on our
 * side: a commit that waits for its standby would stay behind on the server and the pool would open one more.
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
  // The pool does not listen while a connection is lent out; its borrower hears of it by the query that fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * SQLSTATE codes and classes of codes after which a connection is of no more use. The severity (FATAL, PANIC) would
 * say the same, but the server translates it. An error that ends the connection with another code is found by the
 * next statement, which fails without a code.
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

/** Whether a failure says nothing about the statement itself: the server or the way to it failed. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) {
    return CONNECTION_FAILURES.some((each) => code.startsWith(each))
  }
  // System errors and those of a socket that is gone; what the driver raises itself has no code.
  return (
    /^(E[A-Z]{3,}|ERR_(STREAM|SOCKET)_[A-Z_]+)$/.test(code) ||
    /Connection (terminated|ended)|timeout|not queryable|Client was closed/i.test(error.message)
  )
}

/** Deadlocks, serialization failures and lock time-outs: the same statement may pass next time. */
export function mayPassNextTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40P01', '40001', '55P03'].includes(error.code ?? '')
}
