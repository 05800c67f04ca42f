/** The commands in docs/operations.md that read the files without Coffer. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { skipWithout } from '../../scripts/find-program.ts'
import { readBlocks } from '../../scripts/read-blocks.ts'
import {
  OLDEST,
  openFilledArchive,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'

const guide = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [print = '', load = ''] = readBlocks(guide)
  .filter(({ marks }) => marks['test'] === 'server/archive/read-files.own.test.ts')
  .map(({ text }) => text)

let setup: FilledArchive
before(async () => {
  setup = await openFilledArchive()
  await setup.archive(RECENT)
})
after(() => setup.end())

describe('the files of archived months', () => {
  it('are searched with gzip and grep', () => {
    const [walletId] = setup.wallets
    const command = print.replace('/archive/coffer', setup.folder).replace('42', String(walletId))
    const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim().split('\n')
    const rows = lines.map((line) => JSON.parse(line) as { wallet_id: number; amount: number })
    assert.deepEqual(
      rows.map(({ wallet_id: id, amount }) => [BigInt(id), amount]),
      [100, 51, -7, 3].map((amount) => [walletId, amount]),
    )
  })

  it('are read by PostgreSQL', { skip: skipWithout('psql', 'postgresql-client') }, async () => {
    const { admin, databaseUrl } = setup.harness
    const table = `operations_${OLDEST.replace('-', '_')}`
    const script = load.replaceAll('2024-12', OLDEST).replace('operations_2024_12', table)
    const options = ['-X', '-v', 'ON_ERROR_STOP=1', databaseUrl]
    execFileSync('psql', options, { cwd: setup.folder, input: script })
    const { rows } = await admin.query(
      `select count(*)::int as same from (select * from ${table} intersect select * from ledger.${table}) x`,
    )
    assert.deepEqual(rows, [{ same: 3 }])
  })
})
