import { forgotAccountPassword, logInToAccount } from '@coffer/contract/account-api'
import { logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { forgotPassword, logIn } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createOperator } from '../admin/operators/create-operator.ts'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { callPage, inventEmail, makePerson, openDoor, untilPaused } from '../test/sign-in.ts'
import type { Fields, Stage } from '../test/setup.ts'

describe('the attempts on one account', () => {
  let stage: Stage
  before(async () => {
    stage = await openDoor(ADMIN_ENV)
  })
  after(() => stage.harness.end())

  /** Each number gives another spelling. PostgreSQL lowers İ to i; JavaScript lowers it to two characters. */
  function respell(email: string, number: number): string {
    const bits = number.toString(2).split('').toReversed()
    let letter = 0
    return email.replaceAll('i', (plain) => (bits[letter++] === '1' ? 'İ' : plain))
  }

  async function makeOperator(email: string) {
    const by = { actor: 'test', actorId: null, address: null }
    await createOperator(stage.harness.context, by, { email, name: 'Ina', role: 'viewer' })
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
    it(`are counted together however the email is written: ${title}`, async () => {
      const email = `iiiiiiii.${inventEmail()}`
      if (make) await make(email)
      else await makePerson(stage, { email })
      const { clientId } = stage.app
      let spelling = 0
      await untilPaused(() => {
        const all = { clientId, ...fields, email: respell(email, spelling++) }
        assert(spelling < 256, 'every spelling was accepted')
        return callPage(stage, endpoint, all)
      })
    })
  }

  it('finds the person by every spelling that is counted', async () => {
    const { id, email, password } = await makePerson(stage, { email: `iii.${inventEmail()}` })
    const fields = { clientId: stage.app.clientId, password }
    const response = await callPage(stage, logIn, { ...fields, email: respell(email, 5) })
    assert.equal(response.statusCode, 200, response.body)
    const { rows } = await stage.harness.admin.query(
      `select from directory.tickets where service_user_id = $1 and purpose = 'consent'`,
      [id],
    )
    assert.equal(rows.length, 1)
  })
})
