import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { IS_RECOVERING } from './restore-queries.ts'

const POLL_MS = 500

/** Waits until PostgreSQL has replayed the WAL. `server`: its process, if this one has started it. */
export async function waitUntilRecovered(url: string, server?: ChildProcess) {
  for (;;) {
    if (server && (server.exitCode !== null || server.signalCode !== null)) {
      throw new Error('PostgreSQL could not replay the WAL; its message is above.')
    }
    const client = new pg.Client(clientConfig(url))
    client.on('error', () => undefined)
    try {
      await client.connect()
      if ((await one(client, IS_RECOVERING)) === false) return
    } catch (error) {
      // A missing login or database does not appear later; a server that is not ready yet has another code.
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code !== undefined && code !== '57P03') throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    await sleep(POLL_MS)
  }
}
