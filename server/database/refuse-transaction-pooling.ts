/**
 * A pooler in transaction mode gives every transaction another session of the server. Settings, prepared statements and
 * locks of a session would then belong to other connections of the service.
 */
import pg from 'pg'
import { clientConfig } from './connect.ts'

const ATTEMPTS = 5

export async function refuseTransactionPooling(databaseUrl: string): Promise<void> {
  const clients = [
    new pg.Client(clientConfig(databaseUrl)),
    new pg.Client(clientConfig(databaseUrl)),
  ]
  const [first, second] = clients as [pg.Client, pg.Client]
  try {
    for (const client of clients) client.on('error', () => undefined)
    await first.connect()
    // Without a pooler, the server itself has sent the id of its session.
    const { processID } = first as unknown as { processID: number }
    if ((await readSession(first)) === processID) return
    await second.connect()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await shareSessions(first, second)) {
        throw new Error(
          'DATABASE_URL leads to a connection pooler in transaction mode. Use session mode, or connect to PostgreSQL directly (docs/operations.md).',
        )
      }
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/** A pooler in transaction mode gives the session of the first client to the second one between two transactions. */
async function shareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await readSession(first)
  await second.query('begin')
  const other = await readSession(second)
  const after = await readSession(first)
  await second.query('rollback')
  return other === before || after !== before
}

async function readSession(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
