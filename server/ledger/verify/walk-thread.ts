/** A thread of `verify`: walks ranges of wallets on a connection of its own, in the snapshot of the main thread. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { run } from '../../database/statement.ts'
import { BEGIN_SNAPSHOT, useSnapshot } from './verify-queries.ts'
import { walkRange, type ThreadInput, type ThreadOutput } from './walk-all.ts'
import type { Range } from './walk-chains.ts'

const { databaseUrl, snapshot } = workerData as ThreadInput
assert(parentPort)
const port = parentPort
const client = new pg.Client(clientConfig(databaseUrl))
await client.connect()
try {
  await run(client, BEGIN_SNAPSHOT)
  await run(client, useSnapshot(snapshot))
  for (let range = await takeRange(undefined); range !== undefined;) {
    range = await takeRange({ range, walked: await walkRange(client, range) })
  }
} finally {
  await client.end()
  port.close()
}

async function takeRange(output: ThreadOutput): Promise<Range | undefined> {
  const received = once(port, 'message')
  port.postMessage(output)
  const [range] = (await received) as [Range | undefined]
  // A Buffer arrives as an array of bytes.
  for (const head of range?.checkpoint?.values() ?? []) head.headHash = Buffer.from(head.headHash)
  return range
}
