/**
 * Moves old months from the database to files. Each step can be repeated after a crash: files get their names when they
 * are complete, heads count only once the month is listed, and the month is listed in the transaction that detaches it.
 */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type pg from 'pg'
import { BARRIER } from '../database/connect.ts'
import { many, one, run } from '../database/statement.ts'
import * as query from './archive-queries.ts'
import { exportMonth } from './export-month.ts'
import { boundsOf, filesOf, sync } from './files.ts'
import { readChangePages, writeManifest, type Manifest } from './manifest.ts'
import { hashLines } from './operations-file.ts'
import { changePartition } from './change-partition.ts'

/** A clock that is set back can still add operations to a month that has ended. */
const LATE_MS = 7 * 24 * 60 * 60 * 1000

export interface ArchiveTools {
  /** Two connections of the owner of the tables: one keeps the lock on a month, the other one works. */
  locker: pg.ClientBase
  worker: pg.ClientBase
  folder: string
  privateKeyPem: string
  onProgress?: (month: string, operations: number) => void
  onWait?: (month: string) => void
  onArchived?: (manifest: Manifest) => void
}

/** Archives all months before the given one, oldest first. */
export async function archiveMonths(tools: ArchiveTools, before: string): Promise<void> {
  const { worker } = tools
  const months = await many(worker, query.LIST_MONTHS)
  const due = months.filter((each) => each.isAttached && each.month < before)
  if (due.length === 0) return
  await requireReadiness(worker, due.at(-1)?.month as string)
  for (const { month } of due) await archiveMonth(tools, month)
}

async function requireReadiness(client: pg.ClientBase, lastMonth: string) {
  const { before } = boundsOf(lastMonth)
  if (before.getTime() > Date.now() - LATE_MS) {
    throw new Error(
      `The month ${lastMonth} has not ended at least 7 days ago. Archive earlier months.`,
    )
  }
  const ready = await one(client, query.readReadiness(before))
  if (!ready?.isInTotals) {
    throw new Error(
      `The totals do not contain the operations of ${lastMonth} yet. Start the service and wait.`,
    )
  }
  if (ready.hasStrays) {
    throw new Error(
      'The default partition has operations of these months. Run coffer repair-partitions first.',
    )
  }
}

async function archiveMonth(tools: ArchiveTools, month: string) {
  const { locker, worker, folder, privateKeyPem } = tools
  const files = filesOf(folder, month)
  const partial = { operations: `${files.operations}.partial`, changes: `${files.manifest}.lines` }
  await run(locker, query.BEGIN)
  try {
    await run(locker, query.lockMonth(month))
    const manifest = await exportMonth(worker, month, partial, (operations) =>
      tools.onProgress?.(month, operations),
    )
    await requireSame(files.operations, manifest)
    await sync(partial.operations)
    const signed = `${files.manifest}.partial`
    // Sign only what a failover cannot undo.
    const waitForStandby = () => run(worker, { text: BARRIER })
    const lines = readLines(partial.changes)
    const hash = await writeManifest(signed, privateKeyPem, manifest, lines, waitForStandby)
    await rename(partial.operations, files.operations)
    await rename(signed, files.manifest)
    await sync(folder)
    await rm(partial.changes)
    const pages = () => readChangePages(files.manifest, privateKeyPem)
    for await (const page of pages()) {
      await run(
        worker,
        query.writeHeads(
          month,
          page.map(({ after }) => after),
        ),
      )
    }
    for (const statement of query.recordArchivedMonth(manifest, hash)) await run(locker, statement)
    await changePartition(locker, query.detachMonth(month), () => tools.onWait?.(month))
    for await (const page of pages()) {
      await run(
        worker,
        query.deleteEarlierHeads(
          month,
          page.map(({ after }) => after.id),
        ),
      )
    }
    tools.onArchived?.(manifest)
  } catch (error) {
    await run(locker, query.ROLLBACK).catch(() => undefined)
    throw error
  }
}

/** The files of another database must not be overwritten; those of an attempt that crashed are the same. */
async function requireSame(file: string, { month, sha256 }: Manifest) {
  if (!existsSync(file) || (await hashLines(file)) === sha256) return
  throw new Error(`The folder already has other operations of ${month}. Use another folder.`)
}

async function* readLines(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}
