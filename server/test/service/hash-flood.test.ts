/** Somebody who is logged in, or has a link from an email, cannot keep others from logging in with it. */
import { logInToAccount, undoEmailChange } from '@coffer/contract/account/account'
import { createOperator } from '@coffer/contract/admin/operators'
import { changeOwnPassword } from '@coffer/contract/admin/own-sign-in'
import { logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createPasswords } from '../../identity/hash-password.ts'
import { makePerson, moveEmail, openPersonSetupWithMail } from '../account-setup.ts'
import { ADMIN_ENV, makeOperator } from '../admin-setup.ts'
import { PASSWORD, SAME_ORIGIN } from '../sign-in.ts'
import type { Fields } from '../setup.ts'

const ATTACKER = '203.0.113.66'
const VISITOR = '198.51.100.7'
/** More than wait for the hashing. */
const FLOOD = 14
const PER_SECOND = 2

describe('a flood of passwords to hash', () => {
  let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
  before(async () => {
    setup = await openPersonSetupWithMail(ADMIN_ENV)
  })
  after(() => setup.close())

  /**
   * So slow that the queue is full for as long as the test needs. A known browser of the attacker comes first up to three
   * times, so the login waits for two seconds, half of the time after which it would be refused.
   */
  async function hashSlowly() {
    const { context } = setup.harness
    const [fast, slow] = [{ ...context.passwords }, await createPasswords(PER_SECOND)]
    const [fastOfOperators, slowOfOperators] = [
      { ...context.operatorPasswords },
      await createPasswords(PER_SECOND),
    ]
    Object.assign(context.passwords, slow)
    Object.assign(context.operatorPasswords, slowOfOperators)
    return () => {
      Object.assign(context.passwords, fast)
      Object.assign(context.operatorPasswords, fastOfOperators)
    }
  }

  const send = (endpoint: Endpoint, fields: Fields, address: string, cookie?: string) =>
    setup.harness.inject({
      method: 'POST',
      url: endpoint.path,
      payload: JSON.stringify(fields),
      headers: { 'content-type': 'application/json', ...SAME_ORIGIN, ...(cookie && { cookie }) },
      remoteAddress: address,
    })

  async function logInDuring(
    flood: () => Promise<LightMyRequestResponse>,
    logIn: () => Promise<LightMyRequestResponse>,
  ) {
    const hashFast = await hashSlowly()
    const requests = Array.from({ length: FLOOD }, flood)
    const refused = requests.map(async (request) => {
      const { statusCode, body } = await request
      assert.equal(statusCode, 429, body)
    })
    // From now on the queue is full.
    await Promise.any(refused)
    const response = await logIn()
    hashFast()
    assert.equal(response.statusCode, 200, response.body)
    await Promise.all(requests)
  }

  it('refuses no login to others: links that undo a change of the address', async () => {
    const { harness, mail } = setup
    const attacker = await makePerson(harness)
    const visitor = await makePerson(harness)
    await moveEmail(setup, attacker)
    const ticket = await mail.readUndoTicket(attacker.email)
    // Another account of theirs has the address, so that the link is refused and stays valid.
    await moveEmail(setup, await makePerson(harness), attacker.email)
    await logInDuring(
      () => send(undoEmailChange, { ticket, password: 'another harbour at dusk' }, ATTACKER),
      () => send(logInToAccount, { email: visitor.email, password: PASSWORD }, VISITOR),
    )
  })

  it('refuses no login to operators: one who changes the own password', async () => {
    const viewer = await makeOperator(setup.harness, 'viewer')
    const owner = await makeOperator(setup.harness, 'owner')
    await logInDuring(
      () => send(changeOwnPassword, { newPassword: viewer.password }, ATTACKER, viewer.cookie),
      () => send(logInToAdmin, { email: owner.email, password: owner.password }, VISITOR),
    )
  })

  it('refuses no login to operators: one who adds operators that exist', async () => {
    const attacker = await makeOperator(setup.harness, 'owner')
    const owner = await makeOperator(setup.harness, 'owner')
    const known = { email: owner.email, name: 'Olga Test', role: 'viewer' }
    await logInDuring(
      () => send(createOperator, known, ATTACKER, attacker.cookie),
      () => send(logInToAdmin, { email: owner.email, password: owner.password }, VISITOR),
    )
  })
})
