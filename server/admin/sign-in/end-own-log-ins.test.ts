import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  logInAgain,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

async function isIn(who: Pick<TestOperator, 'cookie'>): Promise<boolean> {
  return (await askAs(setup, who, signInEndpoints.readOperator)).statusCode === 200
}

async function listOf(who: Pick<TestOperator, 'cookie'>) {
  const response = await askAs(setup, who, ownSignInEndpoints.readSignIn)
  return response.json<{ logIns: { id: string; isThis: boolean }[] }>().logIns
}

describe('POST /api/admin/sign-in/log-ins/end', () => {
  const endpoint = ownSignInEndpoints.endOwnLogIn

  it('200 ends the login once, and never a login of another operator', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const other = await logInAgain(setup, someone)
    const id = (await listOf(someone)).find(({ isThis }) => !isThis)?.id
    const [theirs] = await listOf(setup.owner)
    for (const each of [id, id, theirs?.id]) {
      assert.equal((await askAs(setup, someone, endpoint, { id: each })).statusCode, 200)
    }
    assert.deepEqual(
      [await isIn(other), await isIn(someone), await isIn(setup.owner)],
      [false, true, true],
    )
    const entries = (await auditOf(setup, someone.email)).filter(
      ({ action }) => action === 'operator.end_log_in',
    )
    assert.deepEqual(
      entries.map((entry) => entry.before),
      [{ device: 'Unknown device', address: '127.0.0.1' }],
    )
  })
})

describe('a login that is used while its operator is changed', () => {
  it('waits without locking the login, so that there is no deadlock', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    await harness.admin.query(
      `update admin.log_ins set last_seen_at = now() - interval '2 minutes' where operator_id = $1`,
      [someone.id],
    )
    await harness.admin.query('begin')
    await harness.admin.query('select from admin.operators where id = $1 for update', [someone.id])
    const used = isIn(someone)
    const isWaiting = async () => {
      const { rows } = await harness.admin.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    }
    while (!(await isWaiting())) await sleep(10)
    await harness.admin.query(
      'select from admin.log_ins where operator_id = $1 for update nowait',
      [someone.id],
    )
    await harness.admin.query('rollback')
    assert.equal(await used, true)
  })
})
