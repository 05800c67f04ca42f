/** Strangers in the network of a person or an operator cannot make them wait, once they have proved who they are. */
import {
  forgotAccountPassword,
  logInToAccount,
  resetAccountPassword,
} from '@coffer/contract/account/account'
import { confirmOperator, finishAdminLogIn, logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { issueDevice } from '../../identity/recognize-device.ts'
import { makePerson, openPersonSetupWithMail } from '../account-setup.ts'
import { ADMIN_ENV, freshCode, makeOperator } from '../admin-setup.ts'
import { inventEmail, SAME_ORIGIN } from '../sign-in.ts'
import type { Fields } from '../setup.ts'

const OFFICE = '198.51.100.7'

describe('a flood of logins from the same network', () => {
  let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
  before(async () => {
    setup = await openPersonSetupWithMail({ ...ADMIN_ENV, LOG_INS_PER_MINUTE: '15' })
  })
  after(() => setup.close())

  const send = (endpoint: Endpoint, fields: Fields, cookie?: string) =>
    setup.harness.inject({
      method: 'POST',
      url: endpoint.path,
      payload: JSON.stringify(fields),
      headers: { 'content-type': 'application/json', ...SAME_ORIGIN, ...(cookie && { cookie }) },
      remoteAddress: OFFICE,
    })

  async function exhaust(endpoint: Endpoint) {
    const guess = () => send(endpoint, { email: inventEmail(), password: 'not the passphrase' })
    const responses = await Promise.all(Array.from({ length: 40 }, guess))
    assert(responses.some(({ statusCode }) => statusCode === 429))
  }

  const succeed = ({ statusCode, body }: LightMyRequestResponse) =>
    assert.equal(statusCode, 200, body)

  it('does not keep an operator in a known browser from logging in and from confirming', async () => {
    const { harness } = setup
    const operator = await makeOperator(harness, 'owner')
    const { email, password } = operator
    const device = issueDevice(harness.context.config.peppers, 'operator', email)
    await exhaust(logInToAdmin)
    const begun = await send(
      logInToAdmin,
      { email, password },
      `__Host-coffer-admin-device=${device}`,
    )
    succeed(begun)
    const { ticket } = begun.json<{ ticket: string }>()
    succeed(await send(finishAdminLogIn, { ticket, code: await freshCode(harness, operator) }))
    const proof = { password, code: await freshCode(harness, operator) }
    succeed(await send(confirmOperator, proof, operator.cookie))
  })

  it('does not keep a person from using the link for a new password', async () => {
    const { email } = await makePerson(setup.harness)
    succeed(await send(forgotAccountPassword, { email }))
    const ticket = await setup.mail.readTicket(email)
    await exhaust(logInToAccount)
    succeed(await send(resetAccountPassword, { ticket, password: 'another harbour at dusk' }))
  })
})
