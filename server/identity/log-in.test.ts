import { exchangeLinkCode } from '@coffer/contract/server/wallet'
import { logIn as endpoint } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  assertRateLimited,
  callPage,
  dumpDirectory,
  inventEmail,
  makePerson,
  openSignIn,
  step,
  type TestPerson,
} from '../test/sign-in.ts'
import { createProof } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'
import { link } from './link.ts'
import { scopeOf } from './throttle-attempts.ts'

describe('POST /api/widget/auth/log-in', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn()
  })
  after(() => setup.harness.end())

  const credentialsOf = ({ app }: Setup, { email, password }: Omit<TestPerson, 'id'>) => {
    return { clientId: app.clientId, email, password }
  }
  const fieldsOf = async (limited: Setup) => credentialsOf(limited, await makePerson(limited))
  const guess = (email: string, password = 'not the passphrase') =>
    callPage(setup, endpoint, credentialsOf(setup, { email, password }))

  /** Ends the wait for an email, for callers from the address of the tests. */
  async function waitOut(email: string) {
    const { peppers } = setup.harness.context.config
    const scope = scopeOf(peppers, { network: '127.0.0.1' })
    const key = createHmac('sha256', peppers[0].key).update('coffer attempts').digest()
    const label = hash('sha256', `log-in ${scope} ${email.toLowerCase()}`, 'buffer')
    await setup.harness.admin.query(
      'update directory.log_in_failures set blocked_until = now() where email_hash = $1',
      [hash('sha256', Buffer.concat([key, label]), 'buffer')],
    )
  }

  /** Everything that a caller can see, except the request id and the time. */
  function visible({ statusCode, headers, body }: LightMyRequestResponse) {
    const { date: _date, 'x-request-id': _id, ...others } = headers
    return { statusCode, headers: others, body }
  }

  it('200 requests consent first, and links nothing without it', async () => {
    const person = await makePerson(setup)
    const result = await step(setup, endpoint, credentialsOf(setup, person))
    assert.deepEqual(Object.keys(result), ['step', 'ticket', 'firstName'])
    assert.deepEqual([result.step, result.firstName], ['consent', 'Ada'])
    const { rows } = await setup.harness.admin.query(
      'select from directory.links where service_user_id = $1',
      [person.id],
    )
    assert.equal(rows.length, 0)
  })

  it('200 skips the consent for a linked person and returns a new link code', async () => {
    const person = await makePerson(setup)
    const { db } = setup.harness.context
    const serviceUserId = await link(db, setup.app.id, person.id)
    const codes = new Set<unknown>()
    for (let index = 0; index < 2; index++) {
      const { verifier, challenge } = createProof()
      const fields = { ...credentialsOf(setup, person), challenge }
      const { linkCode, ...linked } = await step(setup, endpoint, fields)
      assert.deepEqual(linked, { step: 'linked', serviceUserId })
      const exchanged = await call(setup, exchangeLinkCode, { linkCode, verifier })
      assert.deepEqual(exchanged.json(), { serviceUserId })
      codes.add(linkCode)
    }
    assert.equal(codes.size, 2)
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(setup, endpoint, fieldsOf, {
      clientId: ['', 'app_', `app_${'0'.repeat(24)}`],
      email: ['', 'a', 'a@b', 'a b@c.d'],
      password: ['', 'x'.repeat(129)],
    }))

  it('401 LOGIN_FAILED with the same bytes for a wrong password, an unknown email and a person without a password', async () => {
    const { email } = await makePerson(setup)
    const passwordless = inventEmail()
    const { id } = await makePerson(setup, { email: passwordless })
    await setup.harness.admin.query(
      'update directory.people set password_hash = null where service_user_id = $1',
      [id],
    )
    const responses = [await guess(email), await guess(inventEmail()), await guess(passwordless)]
    // The password of the dummy hash, which replaces a missing hash, is not accepted.
    responses.push(await guess(inventEmail(), 'nobody has this password'))
    responses.push(await guess(passwordless, 'nobody has this password'))
    for (const response of responses) {
      assertRefusal(response, endpoint, 'LOGIN_FAILED')
      assert.deepEqual(visible(response), visible(responses[0] as LightMyRequestResponse))
    }
  })

  it('401 LOGIN_FAILED for each of a few concurrent attempts: none of the free ones is rate limited', async () => {
    for (let round = 0; round < 10; round++) {
      const email = inventEmail()
      const responses = await Promise.all(Array.from({ length: 5 }, () => guess(email)))
      for (const response of responses) assertRefusal(response, endpoint, 'LOGIN_FAILED')
    }
  })

  it('429 RATE_LIMITED with a growing wait, the same for known and unknown emails', async () => {
    const emails = [(await makePerson(setup)).email, inventEmail()]
    const histories = []
    for (const email of emails) {
      const history = []
      // Six attempts are free; the waits of one and two seconds are too short to check.
      for (let index = 0; index < 9; index++) {
        await waitOut(email)
        assertRefusal(await guess(email), endpoint, 'LOGIN_FAILED')
      }
      for (const seconds of [8, 16, 32, 64, 128, 256, 300, 300]) {
        const refused = await guess(email.toUpperCase())
        assertRateLimited(refused, seconds - 3, seconds)
        const { headers, ...others } = visible(refused)
        history.push({ ...others, headers: { ...headers, 'retry-after': seconds } })
        await waitOut(email)
        assertRefusal(await guess(email), endpoint, 'LOGIN_FAILED')
      }
      histories.push(history)
    }
    assert.deepEqual(histories[0], histories[1])
  })

  it('429 RATE_LIMITED for most of fifty concurrent guesses, and few passwords are checked', async () => {
    const { email } = await makePerson(setup)
    const responses = await Promise.all(Array.from({ length: 50 }, () => guess(email)))
    const judged = responses.filter(({ statusCode }) => statusCode === 401)
    // Six, and on a slow machine one more after each wait.
    assert(judged.length <= 8, `${judged.length} were judged`)
    for (const response of responses)
      if (response.statusCode !== 401) assertRateLimited(response, 1, 4)
  })

  it('429 RATE_LIMITED above twenty a minute from one address, and from no other', async () => {
    const limited = await openSignIn({ LOG_INS_PER_MINUTE: '20' })
    try {
      const fields = await fieldsOf(limited)
      for (let index = 0; index < 20; index++) await step(limited, endpoint, fields)
      const earlier = await dumpDirectory(limited)
      assertRateLimited(await callPage(limited, endpoint, fields), 1, 60)
      assert.equal(await dumpDirectory(limited), earlier)
      assert.equal((await callPage(limited, endpoint, fields, '203.0.113.9')).statusCode, 200)
    } finally {
      await limited.harness.end()
    }
  })

  it('429 RATE_LIMITED when too many passwords wait to be hashed, and no other error', async () => {
    const limited = await openSignIn({ PASSWORD_HASHES_PER_SECOND: '10' })
    try {
      const responses = await Promise.all(
        Array.from({ length: 100 }, () =>
          callPage(
            limited,
            endpoint,
            credentialsOf(limited, { email: inventEmail(), password: 'x' }),
          ),
        ),
      )
      const judged = responses.filter(({ statusCode }) => statusCode === 401)
      assert(judged.length > 0 && judged.length <= 20, `${judged.length} of 100 were judged`)
      for (const response of responses) {
        const code = response.statusCode === 401 ? 'LOGIN_FAILED' : 'RATE_LIMITED'
        assertRefusal(response, endpoint, code)
      }
    } finally {
      await limited.harness.end()
    }
  })
})
