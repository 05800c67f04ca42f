/** Reads the archived operations of a wallet. Decoding takes tenths of a second, so a thread does it. */
import { access } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Operation } from '../ledger/types.ts'
import { filesOf } from './files.ts'

export interface ReadTask {
  file: string
  walletId: bigint
}

/** One thread at a time: exports are rare, and debits need the cores. */
let last: Promise<unknown> = Promise.resolve()

/** The operations of each month, newest first. Without a folder there are none. Throws at once if a file is missing. */
export async function openArchived(
  folder: string | undefined,
  months: readonly string[],
  walletId: bigint,
): Promise<AsyncIterable<Operation[]>> {
  const files = folder === undefined ? [] : months.map((each) => filesOf(folder, each).operations)
  await Promise.all(files.map((file) => access(file)))
  return readFiles(files, walletId)
}

async function* readFiles(files: readonly string[], walletId: bigint) {
  for (const file of files) {
    const reading = last.then(() => runThread({ file, walletId }))
    last = reading.catch(() => undefined)
    yield await reading
  }
}

function runThread(task: ReadTask): Promise<Operation[]> {
  return new Promise((resolve, reject) => {
    const url = new URL('./read-archived-worker.ts', import.meta.url)
    const worker = new Worker(url, { workerData: task })
    worker.on('message', resolve)
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`The thread ended with code ${code}.`)))
  })
}
