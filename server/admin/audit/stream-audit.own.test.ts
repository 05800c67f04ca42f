/** AUDIT_LOG_FILE: complete, in order, at least once, from one process, and provable by its receiver. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLease, type Lease } from '../../database/leases.ts'
import { run } from '../../database/statement.ts'
import { openAuditSetup, type AuditSetup } from '../../test/audit-setup.ts'
import { saveTask } from './chain-queries.ts'
import { streamPortion } from './stream-audit.ts'

interface Line {
  seq: number
  id: string
  at: string
  actor: string
  actorId: string | null
  address: string | null
  action: string
  subject: string | null
  before: string | null
  after: string | null
  hash: string
}

/** What a receiver does, from docs/decisions/0041-a-chained-audit-log.md alone. */
function hashLine(previous: string, line: Line): string {
  const [, seconds = '', micros = ''] = /^(.*)\.(\d{6})Z$/.exec(line.at) ?? []
  const at = `${Date.parse(`${seconds}Z`) / 1000}${micros}`
  const { seq, id, actor, actorId, address, action, subject } = line
  const fields = ['1', `${seq}`, id, at, actor, actorId, address, action, subject]
  const encoded = [...fields, line.before, line.after].map((field) =>
    field === null ? '-' : `${Buffer.byteLength(field)}:${field}`,
  )
  const digest = createHash('sha256').update(Buffer.from(previous, 'hex'))
  return digest.update(encoded.join(',')).digest('hex')
}

function assertProvable(lines: Line[]) {
  let previous = '00'.repeat(32)
  for (const [index, line] of lines.entries()) {
    assert.equal(line.seq, index + 1)
    assert.equal(line.hash, hashLine(previous, line))
    previous = line.hash
  }
}

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-audit-'))
})
after(() => rm(folder, { recursive: true }))

async function readLines(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as Line)
}

describe('the service with AUDIT_LOG_FILE', () => {
  it('writes every entry, with a hash that proves it, and records the lag', async () => {
    const file = join(folder, 'service.log')
    const setup = await openAuditSetup({ AUDIT_LOG_FILE: file })
    try {
      await setup.write(7)
      const endMs = performance.now() + 60_000
      while ((await readLines(file)).length < 7) {
        assert(performance.now() < endMs, 'the entries are not in the file')
        await sleep(20)
      }
      const lines = await readLines(file)
      assertProvable(lines)
      const { mode } = await stat(file)
      assert.equal(mode & 0o777, 0o600)
      const metrics = await setup.harness.context.metrics.registry.metrics()
      assert.match(metrics, /^coffer_audit_file_lag_seconds \d/m)
      const { rows } = await setup.harness.admin.query<{ after: object }>(
        'select after from admin.audit order by id limit 1',
      )
      assert.deepEqual(JSON.parse(lines[0]?.after ?? ''), rows[0]?.after)
    } finally {
      await setup.harness.end()
    }
  })
})

describe('a portion of AUDIT_LOG_FILE', () => {
  let setup: AuditSetup
  let file: string
  let lease: Lease
  let count = 0
  before(async () => {
    setup = await openAuditSetup()
    await setup.write(5)
  })
  after(() => setup.harness.end())
  beforeEach(async () => {
    await lease?.release()
    await setup.harness.admin.query('update admin.audit_tasks set seq = 0, hash = null')
    file = join(folder, `${++count}.log`)
    lease = openLease(setup.harness.context.db, 'stream-audit')
  })

  /** undefined: another process does it. */
  const stream = async (by = lease) =>
    (await by.take()) ? streamPortion(setup.harness.context, file, by) : undefined
  const lag = async () => {
    const text = await setup.harness.context.metrics.registry.metrics()
    return Number(/^coffer_audit_file_lag_seconds (\S+)$/m.exec(text)?.[1])
  }

  it('is written by one process at a time; another one continues at the same place', async () => {
    const other = openLease(setup.harness.context.db, 'stream-audit')
    assert.equal(await stream(), false)
    assert.equal(await stream(other), undefined)
    await lease.release()
    await setup.write(2)
    assert.equal(await stream(other), false)
    await other.release()
    const lines = await readLines(file)
    assertProvable(lines)
    assert.equal(BigInt(lines.length), (await setup.head()).seq)
  })

  it('is written again after a crash before its position is saved, on a new line', async () => {
    const crashing: Lease = {
      ...lease,
      inTransaction: () => Promise.reject(new Error('killed')),
    }
    await assert.rejects(stream(crashing), /killed/)
    const once = await readLines(file)
    await appendFile(file, '{"seq":6,"id":"6","at')
    assert.equal(await stream(), false)
    const lines = await readLines(file)
    assert.deepEqual(lines, [...once, ...once])
    const text = await readFile(file, 'utf8')
    assert.equal(text.split('\n').length, 2 * once.length + 2)
  })

  it('goes to a new file if the old one was moved away', async () => {
    await stream()
    const first = await readLines(file)
    await rename(file, `${file}.1`)
    await setup.write(1)
    await stream()
    assertProvable([...first, ...(await readLines(file))])
  })

  it('waits if the file cannot be written, and the lag grows', async () => {
    const { admin } = setup.harness
    await stream()
    assert.equal(await lag(), 0)
    await setup.write(1)
    await admin.query(`select pg_sleep(0.01)`)
    const writable = file
    file = join(folder, 'missing', 'audit.log')
    await assert.rejects(stream(), { code: 'ENOENT' })
    assert((await lag()) > 0.005)
    file = writable
    await stream()
    assert.equal(await lag(), 0)
    const lines = await readLines(file)
    assertProvable(lines)
    assert.equal(BigInt(lines.length), (await setup.head()).seq)
  })

  it('starts again, and reports it, if the chain no longer contains what was written', async () => {
    const { logLines } = setup.harness
    const { seq } = await setup.head()
    await run(setup.harness.context.db, saveTask('stream', { seq, hash: Buffer.alloc(32, 1) }))
    assert.equal(await stream(), false)
    assertProvable(await readLines(file))
    assert(logLines.some((line) => line.includes('no longer contains the last entry')))
  })
})
