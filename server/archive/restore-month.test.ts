import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { OLD, openFilledArchive, RECENT, type FilledArchive } from '../test/ledger/archive-setup.ts'
import { dropMonth, restoreMonth } from './restore-month.ts'

let setup: FilledArchive
beforeEach(async () => {
  setup = await openFilledArchive()
})
afterEach(() => setup.end())

describe('restoreMonth and dropMonth', () => {
  const CHANGES: [string, () => void, RegExp][] = [
    [
      'a changed Parquet file',
      () => flip(`operations-${OLD}.parquet`, 200),
      /differs from its manifest/,
    ],
    [
      'a changed manifest',
      () => flip(`operations-${OLD}.manifest`, 40),
      /signature of .* is invalid/,
    ],
  ]
  function flip(name: string, at: number) {
    const file = join(setup.folder, name)
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(file, bytes)
  }
  for (const [title, change, message] of CHANGES) {
    it(`refuse ${title}`, async () => {
      await setup.archive(RECENT)
      change()
      const expected = ({ message: text }: Error) => message.test(text)
      await assert.rejects(restoreMonth(setup.restoreTools, OLD), expected)
      await assert.rejects(dropMonth(setup.restoreTools, OLD), expected)
    })
  }

  it('refuse a manifest that the database did not record', async () => {
    await setup.archive(RECENT)
    await setup.harness.admin.query(
      `update ledger.archived_months set manifest_hash = sha256('other')`,
    )
    await assert.rejects(
      restoreMonth(setup.restoreTools, OLD),
      /is not the manifest that the database recorded/,
    )
  })

  it('name a missing file', async () => {
    await setup.archive(RECENT)
    const tools = { ...setup.restoreTools, folder: join(setup.folder, 'elsewhere') }
    await assert.rejects(restoreMonth(tools, OLD), /is missing. Give the folder of the archive/)
  })
})
