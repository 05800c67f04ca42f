/** Brings an archived month back from its files, and drops the table of an archived month. */
import { isDeepStrictEqual } from 'node:util'
import { many, run } from '../database/statement.ts'
import { stepChain } from '../ledger/verify/check-chain.ts'
import type { Operation } from '../ledger/types.ts'
import * as query from './archive-queries.ts'
import { MonthSums } from './export-month.ts'
import { checkFiles, listArchived, type RestoreTools } from './check-files.ts'
import { filesOf } from './files.ts'
import { readChangePages, readChanges, type HeadChange, type Manifest } from './manifest.ts'
import { readPages } from './operations-file.ts'
import { changePartition } from './change-partition.ts'

/** Only the newest archived month can be restored, because chains have no gaps. */
export async function restoreMonth(tools: RestoreTools, month: string): Promise<Manifest> {
  const { client, folder, publicKeyPem } = tools
  const archived = await listArchived(client)
  const stored = archived.at(-1)
  if (stored?.month !== month) {
    throw new Error(
      stored === undefined
        ? `The month ${month} is not archived: nothing to restore.`
        : `Restore ${stored.month} first: months are restored in the opposite order of archiving.`,
    )
  }
  const manifest = await checkFiles(tools, stored)
  if (!stored.hasTable) await load(tools, manifest)
  for (const statement of query.constrainMonth(month)) await run(client, statement)
  // The same statement in attachMonth, which deletions of accounts wait for, then has little left to do.
  await run(client, query.eraseTexts(month))
  const pages = () => readChangePages(filesOf(folder, month).manifest, publicKeyPem)
  // The month before it in the archive has the heads that count from now on.
  const earlier = archived.at(-2)?.month
  for await (const page of earlier === undefined ? [] : pages()) {
    const heads = page.map(({ before }) => before).filter(({ seq }) => seq > 0n)
    await run(client, query.writeHeads(earlier as string, heads))
  }
  await run(client, query.BEGIN)
  try {
    for (const statement of query.deleteArchivedMonth(month)) await run(client, statement)
    await changePartition(client, query.attachMonth(month), () => tools.onWait?.())
  } catch (error) {
    await run(client, query.ROLLBACK).catch(() => undefined)
    throw error
  }
  await run(client, query.dropMonthConstraint(month))
  for await (const page of pages()) {
    await run(
      client,
      query.deleteHeads(
        month,
        page.map(({ after }) => after.id),
      ),
    )
  }
  return manifest
}

/** Drops the detached table, after it has checked that the files are complete and unchanged. */
export async function dropMonth(tools: RestoreTools, month: string): Promise<Manifest> {
  const stored = (await listArchived(tools.client)).find((each) => each.month === month)
  if (stored === undefined)
    throw new Error(`The month ${month} is not archived: run coffer archive.`)
  if (!stored.hasTable) throw new Error(`The table of ${month} is already dropped.`)
  const manifest = await checkFiles(tools, stored)
  await run(tools.client, query.dropMonth(month))
  return manifest
}

/** One transaction, so that after a crash there is no table with a part of the month. */
async function load(
  { client, folder, publicKeyPem, onProgress }: RestoreTools,
  manifest: Manifest,
) {
  const { month, operations } = manifest
  const files = filesOf(folder, month)
  const sums = new MonthSums()
  const chains = new FileChains(readChanges(files.manifest, publicKeyPem))
  await run(client, query.BEGIN)
  try {
    await run(client, query.createMonth(month))
    for await (const lines of readPages(files.operations)) {
      for (const operation of await many(client, query.writeOperations(month, lines))) {
        sums.add(operation)
        await chains.take(operation)
      }
      onProgress?.(sums.operations, operations)
    }
    await chains.finish()
    if (!isDeepStrictEqual(sums.list(), manifest.sums)) {
      throw new Error(`The operations of ${month} do not add up to the sums in the manifest.`)
    }
    await run(client, query.COMMIT)
  } catch (error) {
    await run(client, query.ROLLBACK).catch(() => undefined)
    throw error
  }
}

/** Compares the chains of the rows with the heads in the manifest. Both are in the order of wallets. */
class FileChains {
  readonly #changes: AsyncGenerator<HeadChange>
  #change: HeadChange | undefined
  #head: HeadChange['before'] | undefined

  constructor(changes: AsyncGenerator<HeadChange>) {
    this.#changes = changes
  }

  async take(operation: Operation) {
    if (this.#head?.id !== operation.walletId) {
      await this.finish()
      this.#change = (await this.#changes.next()).value as HeadChange | undefined
      this.#head = this.#change?.before
    }
    if (this.#head?.id !== operation.walletId) {
      throw new Error(`The manifest does not have the head of wallet ${operation.walletId}.`)
    }
    this.#head = stepChain(this.#head, operation)
  }

  /** Call this after the last operation. */
  async finish() {
    if (this.#change === undefined || this.#head === undefined) return
    const { after } = this.#change
    if (after.seq !== this.#head.seq || !after.headHash.equals(this.#head.headHash)) {
      throw new Error(
        `The operations of wallet ${after.id} do not end with its head in the manifest.`,
      )
    }
  }
}
