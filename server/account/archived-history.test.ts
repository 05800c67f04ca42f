/** The history of a person whose older entries are archived. */
import { exportHistory, readHistory } from '@coffer/contract/account-api'
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ask, makePerson, type TestPerson } from '../test/account-setup.ts'
import {
  bonusOf,
  monthAgo,
  openArchiveSetup,
  type ArchiveSetup,
} from '../test/ledger/archive-setup.ts'
import { giveBonus } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'

const [OLD, RECENT] = [monthAgo(3), monthAgo(2)]

describe('the history of a person whose older entries are archived', () => {
  let setup: { harness: Harness; person: TestPerson }
  let archive: ArchiveSetup
  beforeEach(async () => {
    const harness = await startHarness({ VERIFY_PERCENT: '0', ARCHIVE_FOLDER: '/nonexistent' })
    archive = await openArchiveSetup(harness)
    harness.context.config.archiveFolder = archive.folder
    setup = { harness, person: await makePerson(harness) }
    const { walletId } = setup.person
    const other = await makePerson(harness)
    await archive.post(4, [bonusOf(walletId, 1_00n), bonusOf(other.walletId, 9_00n)])
    await archive.post(3, [bonusOf(walletId, 2_00n), bonusOf(walletId, 3_01n)])
    await archive.post(2, [bonusOf(walletId, 4_00n)])
    await giveBonus(harness.context.ledger, walletId, 5_00n)
  })
  afterEach(async () => {
    await archive.end()
    await setup.harness.end()
  })

  const readAmounts = async (query = {}) => {
    const { body } = await ask(setup, exportHistory, query)
    const rows = body.split('\r\n').slice(1, -1)
    return rows.map((row) => row.split(',').slice(2, 5).join(' '))
  }
  const ALL = [
    '5.00 USD 15.01',
    '4.00 USD 10.01',
    '3.01 USD 6.01',
    '2.00 USD 3.00',
    '1.00 USD 1.00',
  ]

  it('200 says nothing of an archive before there is one', async () => {
    const { archive: found } = (await ask(setup, readHistory)).json()
    assert.equal(found, null)
    assert.deepEqual(await readAmounts(), ALL)
  })

  it('200 says where older entries are, and exports the same rows as before', async () => {
    const exported = (await ask(setup, exportHistory)).body
    await archive.archive(RECENT)
    const page = (await ask(setup, readHistory)).json()
    assert.deepEqual(page.archive, { before: `${RECENT}-01`, isInExport: true })
    assert.equal(page.transactions.length, 2)
    assert.equal((await ask(setup, exportHistory)).body, exported)
  })

  it('200 applies the filters to archived entries', async () => {
    await archive.archive(RECENT)
    assert.deepEqual(await readAmounts({ to: `${OLD}-28`, from: `${OLD}-01` }), ALL.slice(2, 4))
    assert.deepEqual(await readAmounts({ search: 'KAFFEE', to: `${OLD}-28` }), [ALL[3], ALL[4]])
    assert.deepEqual(await readAmounts({ type: 'debit' }), [])
    assert.deepEqual(await readAmounts({ source: 'bonus' }), ALL)
  })

  it('200 exports what the database has if the operator provides no folder', async () => {
    await archive.archive(RECENT)
    setup.harness.context.config.archiveFolder = undefined
    assert.deepEqual(await readAmounts(), ALL.slice(0, 2))
    assert.equal((await ask(setup, readHistory)).json().archive.isInExport, false)
  })

  it('200 says nothing of an archive to a person who has nothing in it', async () => {
    await archive.archive(RECENT)
    const person = await makePerson(setup.harness, 1_00n)
    const { json } = await ask({ ...setup, person }, readHistory)
    assert.equal(json().archive, null)
  })

  it('200 again after a damaged file is restored', async () => {
    await archive.archive(RECENT)
    const file = join(archive.folder, `operations-${OLD}.parquet`)
    const bytes = readFileSync(file)
    writeFileSync(file, 'damaged')
    const broken = await ask(setup, exportHistory).catch(() => undefined)
    assert(!broken?.body.includes('1.00,USD,1.00'))
    writeFileSync(file, bytes)
    assert.deepEqual(await readAmounts(), ALL)
  })

  it('503 before the first byte if a file is missing', async () => {
    await archive.archive(RECENT)
    rmSync(join(archive.folder, `operations-${OLD}.parquet`))
    assert.equal((await ask(setup, exportHistory)).statusCode, 503)
  })
})
