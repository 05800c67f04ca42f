/** Writes the operations of a month to a file, and checks their chains and the file. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { finished, pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { many, run } from '../database/statement.ts'
import { readArchivedHeads } from '../ledger/partitions/archived-queries.ts'
import type { Head, Operation } from '../ledger/types.ts'
import { Fault, genesisOf, stepChain } from '../ledger/verify/check-chain.ts'
import { FETCH_MONTH, openMonth, ROLLBACK } from './archive-queries.ts'
import { sync } from './files.ts'
import { toChangeLine, type ArchivedSum, type Manifest } from './manifest.ts'
import { hashLines } from './operations-file.ts'

/**
 * How many operations are written before the files are synced. If the disk had to write hundreds of megabytes at the
 * end, the commits of debits would wait for it.
 */
const SYNC_OPERATIONS = 50_000

export interface ExportPaths {
  operations: string
  /** The lines of the manifest. */
  changes: string
}

export async function exportMonth(
  client: pg.ClientBase,
  month: string,
  paths: ExportPaths,
  onProgress: (operations: number) => void,
): Promise<Manifest> {
  const sums = new MonthSums()
  const written = createHash('sha256')
  const file = await open(paths.operations, 'w', 0o600)
  const changes = createWriteStream(paths.changes, { mode: 0o600 })
  const heads = new MonthHeads(client, (line) => changes.write(`${line}\n`))
  let synced = 0
  async function* readLines() {
    for (const statement of openMonth(month)) await run(client, statement)
    for (;;) {
      const rows = await many(client, FETCH_MONTH)
      if (rows.length === 0) break
      const operations = rows.map(({ operation }) => operation)
      await heads.take(operations)
      for (const operation of operations) sums.add(operation)
      const lines = rows.map(({ line }) => `${line}\n`).join('')
      written.update(lines)
      yield lines
      if (sums.operations >= synced + SYNC_OPERATIONS) {
        await Promise.all([file.datasync(), sync(paths.changes)])
        synced = sums.operations
      }
      onProgress(sums.operations)
    }
    await run(client, ROLLBACK)
    heads.finish()
  }
  try {
    await pipeline(readLines, createGzip(), file.createWriteStream())
  } catch (error) {
    await run(client, ROLLBACK).catch(() => undefined)
    if (!(error instanceof Fault)) throw error
    const message = `The month ${month} cannot be archived: ${error.message}. Run coffer verify.`
    throw new Error(message, { cause: error })
  } finally {
    changes.end()
    await finished(changes)
  }
  const sha256 = written.digest('hex')
  if ((await hashLines(paths.operations)) !== sha256)
    throw new Error(
      `${paths.operations} does not contain what was written. Check the disk and run the command again.`,
    )
  const { operations } = sums
  return { month, operations, wallets: heads.wallets, sums: sums.list(), sha256 }
}

export class MonthSums {
  operations = 0
  readonly #sums = new Map<string, ArchivedSum>()

  add({ counterAccount: account, kind, amount, debtChange, heldChange }: Operation) {
    this.operations++
    const name = `${account} ${kind}`
    const none = { count: 0n, amount: 0n, debtChange: 0n, heldChange: 0n }
    const sum = this.#sums.get(name) ?? { account, kind, ...none }
    sum.count++
    sum.amount += amount
    sum.debtChange += debtChange
    sum.heldChange += heldChange
    this.#sums.set(name, sum)
  }

  list(): ArchivedSum[] {
    return [...this.#sums.values()].toSorted(
      (a, b) => a.account - b.account || (a.kind < b.kind ? -1 : 1),
    )
  }
}

/** Walks the chains of the wallets, which arrive one after the other. */
class MonthHeads {
  wallets = 0
  readonly #client: pg.ClientBase
  readonly #write: (line: string) => void
  #before: Head | undefined
  #after: Head | undefined

  constructor(client: pg.ClientBase, write: (line: string) => void) {
    this.#client = client
    this.#write = write
  }

  async take(operations: readonly Operation[]) {
    const ids = [...new Set(operations.map(({ walletId }) => walletId))]
    const archived = await many(this.#client, readArchivedHeads(ids))
    const known = new Map(archived.map((head) => [head.id, head]))
    for (const operation of operations) {
      const { walletId } = operation
      if (this.#after?.id !== walletId) {
        this.finish()
        this.#before = known.get(walletId) ?? genesisOf(walletId)
        this.#after = this.#before
      }
      this.#after = stepChain(this.#after, operation)
    }
  }

  /** Call this after the last operation. */
  finish() {
    if (this.#before === undefined || this.#after === undefined) return
    this.#write(toChangeLine({ before: this.#before, after: this.#after }))
    this.wallets++
    this.#before = undefined
  }
}
