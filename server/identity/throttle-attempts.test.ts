import { forgotAccountPassword, logInToAccount } from '@coffer/contract/account/account'
import { logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { forgotPassword, logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createOperator } from '../admin/operators/create-operator.ts'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { callPage, inventEmail, makePerson, openSignIn, untilRateLimited } from '../test/sign-in.ts'
import type { Fields, Setup } from '../test/setup.ts'
import { pruneFailures } from './throttle-attempts.ts'

describe('the attempts on one account', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn(ADMIN_ENV)
  })
  after(() => setup.harness.end())

  /** Each number returns another spelling. PostgreSQL lowercases İ to i; JavaScript to two characters. */
  function respell(email: string, number: number): string {
    const bits = number.toString(2).split('').toReversed()
    let letter = 0
    return email.replaceAll('i', (plain) => (bits[letter++] === '1' ? 'İ' : plain))
  }

  async function makeOperator(email: string) {
    const by = { actor: 'test', actorId: null, address: null }
    await createOperator(setup.harness.context, by, { email, name: 'Ina', role: 'viewer' })
  }

  const wrong = { password: 'not the passphrase' }
  const paths: [title: string, Endpoint, Fields, make?: typeof makeOperator][] = [
    ['log in to the widget', logIn, wrong],
    ['log in to /account', logInToAccount, wrong],
    ['log in to /admin', logInToAdmin, wrong, makeOperator],
    ['reset the password in the widget', forgotPassword, {}],
    ['reset the password at /account', forgotAccountPassword, {}],
  ]
  for (const [title, endpoint, fields, make] of paths) {
    it(`are counted together for every spelling of the email: ${title}`, async () => {
      const email = `iiiiiiii.${inventEmail()}`
      if (make) await make(email)
      else await makePerson(setup, { email })
      const { clientId } = setup.app
      let spelling = 0
      await untilRateLimited(() => {
        const all = { clientId, ...fields, email: respell(email, spelling++) }
        assert(spelling < 256, 'every spelling was accepted')
        return callPage(setup, endpoint, all)
      })
    })
  }

  it('are deleted by the maintenance a day after the wait, and not before', async () => {
    const { admin, context } = setup.harness
    const fields = { clientId: setup.app.clientId, email: inventEmail(), ...wrong }
    await untilRateLimited(() => callPage(setup, logIn, fields))
    const setEnd = (time: string) =>
      admin.query(`update directory.log_in_failures set blocked_until = now() + $1::interval`, [
        time,
      ])
    await setEnd('5 minutes')
    await pruneFailures(context.db)
    assert.equal((await callPage(setup, logIn, fields)).statusCode, 429)
    const count = async () =>
      (await admin.query('select from directory.log_in_failures')).rows.length
    const all = await count()
    for (const [time, left] of [
      ['-23 hours', all],
      ['-25 hours', 0],
    ] as const) {
      await setEnd(time)
      await pruneFailures(context.db)
      assert.equal(await count(), left, time)
    }
  })

  it('lead to the same person for every spelling that is counted', async () => {
    const { id, email, password } = await makePerson(setup, { email: `iii.${inventEmail()}` })
    const fields = { clientId: setup.app.clientId, password }
    const response = await callPage(setup, logIn, { ...fields, email: respell(email, 5) })
    assert.equal(response.statusCode, 200, response.body)
    const { rows } = await setup.harness.admin.query(
      `select from directory.tickets where service_user_id = $1 and purpose = 'consent'`,
      [id],
    )
    assert.equal(rows.length, 1)
  })
})
