import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  OLD,
  OLDEST,
  openFilledArchive,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { dropMonth, restoreMonth } from './restore-month.ts'

let setup: FilledArchive
beforeEach(async () => {
  setup = await openFilledArchive()
})
afterEach(() => setup.end())

describe('restoreMonth and dropMonth', () => {
  const CHANGES: [string, () => void, RegExp][] = [
    [
      'changed operations',
      () => flip(`operations-${OLD}.jsonl.gz`, 200),
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

  describe('do not bring back the texts of a deleted person', () => {
    /** Closes a wallet, as the deletion of its owner does. */
    async function close(walletId: bigint) {
      const { ledger, db } = setup.harness.context
      const wallet = await ledger.readWallet(walletId)
      await ledger.post({
        kind: 'correction_out',
        walletId,
        amountMinor: wallet?.balance ?? 0n,
        counterAccount: 3,
        referenceType: 'CLOSE',
        referenceId: `${walletId}`,
        description: null,
      })
      assert.equal(await inTransaction(db, (tx) => ledger.closeWallet(walletId, tx)), true)
    }

    async function listTexts(walletId: bigint) {
      const { rows } = await setup.harness.admin.query(
        'select from ledger.operations where wallet_id = $1 and description is not null',
        [walletId],
      )
      return rows.length
    }

    for (const isDropped of [false, true]) {
      it(isDropped ? 'from the files' : 'from the detached table', async () => {
        const [first = 0n, second = 0n] = setup.wallets
        await setup.archive(RECENT)
        await close(second)
        if (isDropped) await dropMonth(setup.restoreTools, OLD)
        const kept = await listTexts(first)
        await restoreMonth(setup.restoreTools, OLD)
        await restoreMonth(setup.restoreTools, OLDEST)
        assert.equal(await listTexts(second), 0)
        assert.ok((await listTexts(first)) > kept, 'the texts of others come back')
        assert.equal(await setup.findFault(), undefined)
      })
    }

    it('who is deleted while the month is restored', async () => {
      const [, second = 0n] = setup.wallets
      await setup.archive(RECENT)
      const { client } = setup.restoreTools
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
      const slow = Object.assign(Object.create(client) as typeof client, {
        async query(...args: unknown[]) {
          const { text } = args[0] as { text: string }
          if (text.includes('attach partition')) await close(second)
          return query(...args)
        },
      })
      await restoreMonth({ ...setup.restoreTools, client: slow }, OLD)
      assert.equal(await listTexts(second), 0)
      assert.equal(await setup.findFault(), undefined)
    })
  })
})
