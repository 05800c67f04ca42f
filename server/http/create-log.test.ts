/** PostgreSQL quotes rows in its errors. The log never contains a row, whatever wraps such an error. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { MARK } from '../test/canaries.ts'
import { cloneDatabase } from '../test/database.ts'
import { connectAdmin } from '../test/harness.ts'
import { createLog } from './create-log.ts'

describe('the log of an error', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let admin: pg.Client
  before(async () => {
    database = await cloneDatabase()
    admin = await connectAdmin(database.url)
    await admin.query(`create table planted (email text constraint no_mark check (email = ''))`)
  })
  after(async () => {
    await admin.end()
    await database.drop()
  })

  /** PostgreSQL's own error, with the whole row in its details. */
  async function refusal(): Promise<pg.DatabaseError> {
    try {
      await admin.query('insert into planted values ($1)', [MARK])
    } catch (error) {
      assert(error instanceof pg.DatabaseError)
      assert.match(error.detail ?? '', new RegExp(MARK))
      return error
    }
    return assert.fail('the row was accepted')
  }

  function logged(err: unknown): { text: string; err: Record<string, unknown> } {
    const lines: string[] = []
    createLog('info', { write: (line: string) => lines.push(line) }).error({ err }, 'failed')
    assert.equal(lines.length, 1)
    const text = lines.join('')
    return { text, err: (JSON.parse(text) as { err: Record<string, unknown> }).err }
  }

  const NAMES = {
    type: 'DatabaseError',
    code: '23514',
    severity: 'ERROR',
    table: 'planted',
    constraint: 'no_mark',
    routine: 'ExecConstraints',
  }

  function assertNames(shown: unknown) {
    const { stack, ...names } = shown as Record<string, unknown>
    assert(Array.isArray(stack) && stack.length > 0)
    assert.deepEqual(names, NAMES)
  }

  it('contains the table and constraint of a database error, but nothing of the row', async () => {
    const { text, err } = logged(await refusal())
    assertNames(err)
    assert(!text.includes(MARK), text)
  })

  it('contains the table and constraint of a database error that caused other errors, but nothing of the row', async () => {
    const inner = new Error('the change failed', { cause: await refusal() })
    for (const [depth, error] of [
      inner,
      new Error('the action failed', { cause: inner }),
    ].entries()) {
      const { text, err } = logged(error)
      let cause = err['cause']
      if (depth === 1) cause = (cause as Record<string, unknown>)['cause']
      assertNames(cause)
      assert(!text.includes(MARK), text)
    }
  })

  it('contains only the type of a value that is not an error', () => {
    for (const value of [MARK, { secret: MARK }, [MARK]]) {
      const { text, err } = logged(value)
      assert.deepEqual(err, { type: typeof value })
      assert(!text.includes(MARK), text)
      const wrapped = logged(new Error('failed', { cause: value }))
      assert.deepEqual(wrapped.err['cause'], { type: typeof value })
      assert(!wrapped.text.includes(MARK), wrapped.text)
    }
  })
})
