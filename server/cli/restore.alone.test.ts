import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startTemporaryPostgres, type TemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { readConfig } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { migrate } from '../database/migrate.ts'
import { Ledger } from '../ledger/ledger.ts'
import { giveBonus, makeUser } from '../test/factories.ts'
import { connectAdmin, testEnv } from '../test/harness.ts'
import { INFO_FILE, parseMoment } from './backup-restore.ts'
import { findGapAmong } from './backup-wal.ts'

const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))
const archiver = fileURLToPath(new URL('../../deploy/archive-wal.sh', import.meta.url))

describe('coffer backup and coffer restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-backup-test-'))
  const [base, wal] = [join(folder, 'base'), join(folder, 'wal')]
  let postgres: TemporaryPostgres
  let walletId: bigint
  /** A time between the third and the fourth gift, by the database's clock. */
  let moment: Date

  before(async () => {
    mkdirSync(wal)
    for (const each of [folder, wal]) chmodSync(each, 0o777)
    const archive_command = `"${archiver}" "%p" "%f" "${wal}"`
    postgres = await startTemporaryPostgres({ settings: { archive_mode: 'on', archive_command } })
    await migrate(postgres.url, () => undefined)
    const admin = await connectAdmin(postgres.url)
    await admin.query(`alter system set recovery_end_command = 'touch ${join(folder, 'ran')}'`)
    await admin.end()
    walletId = await give(0)
  })
  after(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function coffer(...args: string[]): Promise<{ status: number; text: string }> {
    const env = { PATH: process.env['PATH'], DATABASE_URL: postgres.url }
    return new Promise((resolve) => {
      execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }

  const into = () => join(folder, randomUUID())
  const restore = (...args: string[]) => coffer('restore', '--from', base, '--wal', wal, ...args)

  /** Posts this many gifts; each is one operation. */
  async function give(times: number): Promise<bigint> {
    const config = readConfig(testEnv(postgres.url))
    const db = createPool(postgres.url, { size: 1, barrier: false })
    const ledger = new Ledger({ databaseUrl: postgres.url })
    const owner = walletId ?? (await makeUser({ db, ledger, config })).walletId
    for (let gift = 0; gift < times; gift++) await giveBonus(ledger, owner, 100n)
    await ledger.close()
    await db.end()
    return owner
  }

  async function archiveAll() {
    const admin = await connectAdmin(postgres.url)
    const { rows } = await admin.query('select pg_walfile_name(pg_switch_wal()) as name')
    while (!existsSync(join(wal, rows[0].name))) await sleep(50)
    await admin.end()
  }

  async function readClock(): Promise<Date> {
    const admin = await connectAdmin(postgres.url)
    const { rows } = await admin.query('select clock_timestamp() as now')
    await admin.end()
    return rows[0].now
  }

  it('takes a complete backup, and never overwrites another', async () => {
    await give(1)
    const { status, text } = await coffer('backup', '--to', base)
    assert.equal(status, 0, text)
    assert.match(text, /Base backup complete: .*, \d+ MB/)
    assert.match(text, /With the archived WAL, it can restore to any time from 2/)
    assert.deepEqual(readdirSync(folder).toSorted(), ['base', 'wal'])
    const again = await coffer('backup', '--to', base)
    assert.equal(again.status, 1)
    assert.match(again.text, /already exists; choose another folder/)
  })

  it('restores to a point in time: earlier operations exist, later ones do not', async () => {
    await give(2)
    await sleep(20)
    moment = await readClock()
    await sleep(20)
    await give(4)
    await archiveAll()
    const { status, text } = await restore('--to-time', moment.toISOString(), '--into', into())
    assert.equal(status, 0, text)
    assert.match(text, /The books are sound: 1 wallets, 3 operations\./)
    const [, newest = ''] = /Newest operation: +(\S+)/.exec(text) ?? []
    assert.ok(new Date(newest) < moment, text)
  })

  it('reports where the WAL ends for a later time, and that an older backup is needed for an earlier one', async () => {
    const late = await restore('--to-time', '2099-01-01T00:00:00Z', '--into', into())
    assert.equal(late.status, 1)
    assert.match(late.text, /The archived WAL ends at 2\S+Z?\. Restore to an earlier time/)
    const early = await restore('--to-time', '2000-01-01T00:00:00Z', '--into', into())
    assert.equal(early.status, 1)
    assert.match(early.text, /can restore to times from 2\S+Z on\. Use an older one/)
    // Without the info file, only the operations in the backup show how new it is.
    renameSync(join(base, INFO_FILE), join(folder, INFO_FILE))
    const foreign = await restore('--to-time', '2000-01-01T00:00:00Z', '--into', into())
    renameSync(join(folder, INFO_FILE), join(base, INFO_FILE))
    assert.equal(foreign.status, 1)
    assert.match(foreign.text, /newer than --to-time|before the end of this base backup/)
  })

  it('restores to the latest time, reports a missing WAL segment, and finds it in a second folder', async () => {
    await give(1)
    await archiveAll()
    await give(1)
    await archiveAll()
    const pieces = readdirSync(wal).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const lost = pieces.toSorted().at(-2) ?? assert.fail('too few pieces')
    const elsewhere = join(folder, 'old')
    mkdirSync(elsewhere)
    chmodSync(elsewhere, 0o777)
    renameSync(join(wal, lost), join(elsewhere, lost))
    const short = await restore('--into', into())
    assert.equal(short.status, 1)
    assert.match(short.text, new RegExp(`The archive lacks ${lost}`))
    const server = join(folder, 'restored')
    const whole = await restore('--wal', elsewhere, '--into', join(server, 'data'))
    assert.equal(whole.status, 0, whole.text)
    assert.match(whole.text, /The books are sound: 1 wallets, 9 operations\./)
    assert.equal(await countOperations(server), 9)
  })

  /** Starts a PostgreSQL in the folder, as after a restore, and counts there. */
  async function countOperations(server: string): Promise<number> {
    const restored = await startTemporaryPostgres({ folder: server })
    const admin = await connectAdmin(restored.url)
    const { rows } = await admin.query('select count(*)::int as count from ledger.operations')
    await admin.end()
    await restored.stop()
    return rows[0].count
  }

  it('writes nothing to the archive, so a restore test is safe', () => {
    assert.deepEqual(
      readdirSync(wal).filter((name) => !name.startsWith('00000001')),
      [],
    )
  })

  it('refuses an altered backup, a folder in use, and a time without a time zone', async () => {
    const used = await restore('--into', wal)
    assert.match(used.text, /is not empty/)
    assert.throws(() => parseMoment('2026-01-31T12:00'), /Write the time as 2026-01-31T12:00:00Z/)
    writeFileSync(join(base, 'global', 'pg_control'), 'spoiled')
    const spoiled = await restore('--into', into())
    assert.equal(spoiled.status, 1)
    assert.match(spoiled.text, /global\/pg_control/)
  })

  it('runs no command that the settings of the backed-up server contain', () => {
    assert.equal(existsSync(join(folder, 'ran')), false)
  })
})

describe('deploy/archive-wal.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-archive-'))
  after(() => rmSync(folder, { recursive: true }))
  const archive = () =>
    execFileSync(archiver, [join(folder, 'piece'), 'NAME', folder], { stdio: 'pipe' })

  it('copies a segment, accepts an identical one again, and never overwrites a different one', () => {
    writeFileSync(join(folder, 'piece'), 'one')
    archive()
    archive()
    writeFileSync(join(folder, 'piece'), 'two')
    assert.throws(archive, /already exists and differs/)
    assert.deepEqual(readdirSync(folder), ['NAME', 'piece'])
  })
})

describe('findGapAmong', () => {
  const BYTES = 16n * 2n ** 20n

  it('finds the first missing segment, across the wraparound of names and across timelines', () => {
    const names = ['0000000100000000000000FE', '0000000100000000000000FF']
    assert.equal(findGapAmong([...names, '000000020000000100000000'], BYTES), undefined)
    const gap = findGapAmong([...names, '000000010000000100000001'], BYTES)
    assert.equal(gap, '000000010000000100000000')
    const fork = [
      '000000010000000000000001',
      '000000010000000000000003',
      '000000020000000000000002',
    ]
    assert.equal(findGapAmong(fork, BYTES), undefined)
    assert.equal(findGapAmong([], BYTES), undefined)
  })
})
