/**
 * Compares what the database knows of archived months with the signed manifests: the heads at which chains continue, and
 * the sums. `coffer verify` trusts both.
 */
import { isDeepStrictEqual } from 'node:util'
import { many, one } from '../database/statement.ts'
import { readArchivedHeads } from '../ledger/partitions/archived-queries.ts'
import { COUNT_HEADS, listSums } from './archive-queries.ts'
import { checkFiles, listArchived, type RestoreTools } from './check-files.ts'
import { filesOf } from './files.ts'
import { readChangePages, type HeadChange } from './manifest.ts'

export interface ArchiveReport {
  months: number
  operations: number
  fault: string | undefined
}

/** Verifies the newest month first: its manifest has the heads that count. */
export async function verifyArchive(tools: RestoreTools): Promise<ArchiveReport> {
  const report: ArchiveReport = { months: 0, operations: 0, fault: undefined }
  const seen = new WalletSet()
  try {
    for (const stored of (await listArchived(tools.client)).toReversed()) {
      const manifest = await checkFiles(tools, stored)
      if (!isDeepStrictEqual(await many(tools.client, listSums(stored.month)), manifest.sums)) {
        throw new Error(`the sums of ${stored.month} differ from its manifest`)
      }
      await compareHeads(tools, stored.month, seen)
      report.months++
      report.operations += manifest.operations
    }
    const heads = (await one(tools.client, COUNT_HEADS)) ?? 0
    if (heads !== seen.size) {
      throw new Error(`the database has ${heads} heads, the manifests have ${seen.size}`)
    }
  } catch (error) {
    report.fault = (error as Error).message
  }
  return report
}

async function compareHeads(tools: RestoreTools, month: string, seen: WalletSet) {
  const { manifest } = filesOf(tools.folder, month)
  for await (const page of readChangePages(manifest, tools.publicKeyPem)) {
    const newest = page.filter(({ after }) => seen.add(after.id))
    const ids = newest.map(({ after }) => after.id)
    const heads = await many(tools.client, readArchivedHeads(ids))
    const known = new Map(heads.map((head) => [head.id, head]))
    for (const { after } of newest) compareHead(after, known.get(after.id))
  }
}

function compareHead(signed: HeadChange['after'], stored: HeadChange['after'] | undefined) {
  if (isDeepStrictEqual(signed, stored)) return
  throw new Error(
    stored === undefined || stored.seq === signed.seq
      ? `wallet ${signed.id}: its head in the database differs from that in the manifest`
      : `wallet ${signed.id}: its head in the database is that of operation ${stored.seq}, the manifests have operation ${signed.seq}`,
  )
}

/** One bit per wallet, because there may be 100 million. */
class WalletSet {
  size = 0
  #bits = new Uint8Array(1 << 16)

  /** Returns false if the wallet is already in the set. */
  add(id: bigint): boolean {
    const place = Number(id >> 3n)
    const bit = 1 << Number(id & 7n)
    if (place >= this.#bits.length) {
      const bits = new Uint8Array(2 * place)
      bits.set(this.#bits)
      this.#bits = bits
    }
    const byte = this.#bits[place] as number
    if ((byte & bit) !== 0) return false
    this.#bits[place] = byte | bit
    this.size++
    return true
  }
}
