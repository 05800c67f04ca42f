/** A thread of `verify`: scans one shard on a connection of its own, in the snapshot of the main thread. */
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { run } from '../../database/statement.ts'
import { READ_IN_STORED_ORDER, useSnapshot } from './scan-queries.ts'
import { scanShard, type ShardReport, type ShardTask } from './scan-shard.ts'
import { BEGIN_SNAPSHOT } from '../verify-queries.ts'

export interface WorkerInput {
  databaseUrl: string
  snapshot: string
  task: ShardTask
}

/** Progress, several times, and then the report. */
export type WorkerOutput = { done: number } | { report: ShardReport }

const { databaseUrl, snapshot, task } = workerData as WorkerInput
assert(parentPort)
const port = parentPort
const client = new pg.Client(clientConfig(databaseUrl))
await client.connect()
try {
  await run(client, BEGIN_SNAPSHOT)
  await run(client, useSnapshot(snapshot))
  await run(client, READ_IN_STORED_ORDER)
  const report = await scanShard(client, task, (done) => port.postMessage({ done }))
  port.postMessage({ report } satisfies WorkerOutput)
} finally {
  await client.end()
}
