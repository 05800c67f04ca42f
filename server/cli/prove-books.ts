/** The books and the audit log in `coffer verify`, `coffer restore` and `coffer after-restore`. */
import { InvalidArgumentError } from 'commander'
import { access, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { readCheckpoint } from '../ledger/verify/checkpoint.ts'
import { verify } from '../ledger/verify/verify.ts'
import { proveAudit } from './prove-audit.ts'
import { showProgress } from './show-progress.ts'
import { print } from './with-service.ts'

export interface ProofFlags {
  checkpoint?: string
  key?: string
}

interface ProveOptions {
  databaseUrl: string
  threads?: number
  isIncremental?: boolean
}

/** Before anything is done: the two files belong together and can be read. */
export async function readProof({ checkpoint, key }: ProofFlags) {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('Use --checkpoint and --key together.')
  }
  if (checkpoint === undefined || key === undefined) return undefined
  await access(checkpoint)
  return { file: checkpoint, pem: await readFile(key, 'utf8') }
}

/** Prints the result and returns it as one line. */
export async function proveBooks(
  client: pg.Client,
  flags: ProofFlags,
  { databaseUrl, threads = availableParallelism(), isIncremental = false }: ProveOptions,
): Promise<string> {
  const proof = await readProof(flags)
  const progress = showProgress('Verifying the books')
  const report = await verify(client, {
    isIncremental,
    threads: { databaseUrl, count: threads },
    onProgress: progress.update,
    ...(proof && { checkpoint: readCheckpoint(proof.file, proof.pem) }),
  })
  progress.end()
  const walked = `${report.wallets} wallets, ${report.operations} operations`
  let books = `The books are sound: ${walked}.`
  if (report.fault === undefined) print(books)
  else {
    books = `The books are NOT sound: ${report.fault}`
    print(`The books are NOT sound. First bad row (after ${walked}):\n  ${report.fault}`)
    process.exitCode = 1
  }
  const audit = await proveAudit(client, { ...flags, incremental: isIncremental })
  return `${books} ${audit}`
}
