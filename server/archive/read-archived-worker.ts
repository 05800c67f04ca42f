/** A thread that reads the operations of a wallet from the file of a month, newest first. */
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import type { Operation } from '../ledger/types.ts'
import { readOperations } from './operations-file.ts'
import type { ReadTask } from './read-archived.ts'

const { file, walletId } = workerData as ReadTask
assert(parentPort)
const found: Operation[] = []
for await (const operations of readOperations(file, walletId)) found.push(...operations)
const port = parentPort
port.postMessage(found.toReversed())
