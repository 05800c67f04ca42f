/** Checks the files of archived months against the database. */
import { existsSync } from 'node:fs'
import type pg from 'pg'
import { many } from '../database/statement.ts'
import { checkSignature } from '../ledger/verify/signed-lines.ts'
import { LIST_MONTHS, type StoredMonth } from './archive-queries.ts'
import { filesOf } from './files.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { hashLines } from './operations-file.ts'

export interface RestoreTools {
  /** A connection of the owner of the tables. */
  client: pg.ClientBase
  folder: string
  publicKeyPem: string
  onProgress?: (operations: number, total: number) => void
  onWait?: () => void
}

export async function listArchived(client: pg.ClientBase): Promise<StoredMonth[]> {
  return (await many(client, LIST_MONTHS)).filter((each) => each.manifestHash !== undefined)
}

export async function checkFiles(
  { folder, publicKeyPem }: Pick<RestoreTools, 'folder' | 'publicKeyPem'>,
  { month, manifestHash }: StoredMonth,
): Promise<Manifest> {
  const files = filesOf(folder, month)
  for (const file of Object.values(files)) {
    if (!existsSync(file)) throw new Error(`${file} is missing. Give the folder of the archive.`)
  }
  const hash = await checkSignature(files.manifest, publicKeyPem)
  if (!manifestHash?.equals(hash)) {
    throw new Error(
      `${files.manifest} is not the manifest that the database recorded for ${month}.`,
    )
  }
  const manifest = await readManifest(files.manifest)
  if ((await hashLines(files.operations)) !== manifest.sha256) {
    throw new Error(`${files.operations} differs from its manifest: it was changed or damaged.`)
  }
  return manifest
}
