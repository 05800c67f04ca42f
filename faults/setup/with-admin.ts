import pg from 'pg'
import { clientConfig } from '../../server/database/connect.ts'

/** A connection with all rights that bypasses the proxy. */
export async function withAdmin<Result>(
  url: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { types } = clientConfig(url)
  const admin = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...(types && { types }),
  })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end().catch(() => undefined)
  }
}
