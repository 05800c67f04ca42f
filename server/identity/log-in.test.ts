import { exchangeLinkCode } from '@coffer/contract/server-api'
import { logIn as endpoint, signUp, verifyEmail } from '@coffer/contract/widget-api'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  assertPause,
  callPage,
  dumpDirectory,
  inventEmail,
  makePerson,
  newcomer,
  openDoor,
  openDoorWithMail,
  PASSWORD,
  step,
  type TestPerson,
} from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Stage } from '../test/setup.ts'
import { link } from './link.ts'

describe('POST /api/widget/auth/log-in', () => {
  let stage: Stage
  before(async () => {
    stage = await openDoor()
  })
  after(() => stage.harness.end())

  const credentialsOf = ({ app }: Stage, { email, password }: Omit<TestPerson, 'id'>) => {
    return { clientId: app.clientId, email, password }
  }
  const fieldsOf = async (there: Stage) => credentialsOf(there, await makePerson(there))
  const guess = (email: string, password = 'not the passphrase') =>
    callPage(stage, endpoint, credentialsOf(stage, { email, password }))

  /** Lets the pause of an e-mail pass. */
  async function waitOut(email: string) {
    await stage.harness.admin.query(
      'update directory.log_in_failures set blocked_until = now() where email_hash = $1',
      [hash('sha256', `log-in ${email.toLowerCase()}`, 'buffer')],
    )
  }

  /** Guesses so often that the pause is longer than any test. */
  async function exhaust(email: string) {
    for (let index = 0; index < 13; index++) {
      await waitOut(email)
      assertRefusal(await guess(email), endpoint, 'LOGIN_FAILED')
    }
  }

  /** All that a caller can see, but for the id of the request and the time. */
  function visible({ statusCode, headers, body }: LightMyRequestResponse) {
    const { date: _date, 'x-request-id': _id, ...others } = headers
    return { statusCode, headers: others, body }
  }

  it('200 asks for consent first, and links nothing without it', async () => {
    const person = await makePerson(stage)
    const asked = await step(stage, endpoint, credentialsOf(stage, person))
    assert.deepEqual(Object.keys(asked), ['step', 'ticket', 'firstName'])
    assert.deepEqual([asked.step, asked.firstName], ['consent', 'Ada'])
    const { rows } = await stage.harness.admin.query(
      'select from directory.links where service_user_id = $1',
      [person.id],
    )
    assert.equal(rows.length, 0)
  })

  it('200 goes straight on for who is linked already, with a fresh link code', async () => {
    const person = await makePerson(stage)
    const { db } = stage.harness.context
    const serviceUserId = await link(db, stage.app.id, person.id)
    const codes = new Set<unknown>()
    for (let index = 0; index < 2; index++) {
      const linked = await step(stage, endpoint, credentialsOf(stage, person))
      assert.deepEqual([linked.step, linked.serviceUserId], ['linked', serviceUserId])
      const exchanged = await call(stage, exchangeLinkCode, { linkCode: linked.linkCode })
      assert.deepEqual(exchanged.json(), { serviceUserId })
      codes.add(linked.linkCode)
    }
    assert.equal(codes.size, 2)
  })

  it('200 however the e-mail is written and the password is typed', async () => {
    const fields = { ...newcomer(stage), password: 'ﬁne Ångström №1' }
    await step(stage, signUp, fields)
    const email = fields.email.toUpperCase()
    for (const password of ['fine Ångström No1', 'ﬁne A\u030angstro\u0308m №1']) {
      const linked = await step(stage, endpoint, { ...fields, email, password })
      assert.equal(linked.step, 'linked')
    }
    const other = await guess(email, 'fine ångström no1')
    assertRefusal(other, endpoint, 'LOGIN_FAILED')
  })

  it('200 verifies first an e-mail that was never verified, if there is a mailer', async () => {
    const door = await openDoorWithMail()
    try {
      const person = await makePerson(door, { isVerified: false })
      const asked = await step(door, endpoint, credentialsOf(door, person))
      assert.deepEqual(Object.keys(asked), ['step', 'ticket'])
      assert.equal(asked.step, 'verify')
      const code = await door.mail.readCode(person.email)
      const next = await step(door, verifyEmail, { ticket: asked.ticket, code })
      assert.equal(next.step, 'consent')
      const later = await step(door, endpoint, credentialsOf(door, person))
      assert.equal(later.step, 'consent')
    } finally {
      await door.close()
    }
  })

  it('200 forgives the wrong tries before it', async () => {
    const person = await makePerson(stage)
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 5; index++) {
        assertRefusal(await guess(person.email), endpoint, 'LOGIN_FAILED')
      }
      await step(stage, endpoint, credentialsOf(stage, person))
    }
  })

  it('400 INVALID_REQUEST for fields that cannot be what they should', () =>
    refusals.refusesValues(stage, endpoint, fieldsOf, {
      clientId: ['', 'app_', `app_${'0'.repeat(24)}`],
      email: ['', 'a', 'a@b', 'a b@c.d'],
      password: ['', 'x'.repeat(129)],
    }))

  it('401 LOGIN_FAILED alike, to the byte, for a wrong password, an unknown e-mail and nobody', async () => {
    const { email } = await makePerson(stage)
    const passwordless = inventEmail()
    const { id } = await makePerson(stage, { email: passwordless })
    await stage.harness.admin.query(
      'update directory.people set password_hash = null where service_user_id = $1',
      [id],
    )
    const answers = [await guess(email), await guess(inventEmail()), await guess(passwordless)]
    // The text behind the hash that stands in for a missing one opens nothing.
    answers.push(await guess(inventEmail(), 'nobody has this password'))
    answers.push(await guess(passwordless, 'nobody has this password'))
    for (const answer of answers) {
      assertRefusal(answer, endpoint, 'LOGIN_FAILED')
      assert.deepEqual(visible(answer), visible(answers[0] as LightMyRequestResponse))
    }
  })

  it('401 LOGIN_FAILED for each of a few tries at once: none of the free ones is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const email = inventEmail()
      const responses = await Promise.all(Array.from({ length: 5 }, () => guess(email)))
      for (const response of responses) assertRefusal(response, endpoint, 'LOGIN_FAILED')
    }
  })

  it('429 RATE_LIMITED with a growing pause, alike for known and unknown e-mails', async () => {
    const emails = [(await makePerson(stage)).email, inventEmail()]
    const histories = []
    for (const email of emails) {
      const history = []
      // Six are free; the pauses of one and two seconds are too short to be looked at.
      for (let index = 0; index < 9; index++) {
        await waitOut(email)
        assertRefusal(await guess(email), endpoint, 'LOGIN_FAILED')
      }
      for (const seconds of [8, 16, 32, 64, 128, 256, 300, 300]) {
        const refused = await guess(email.toUpperCase())
        assertPause(refused, seconds - 3, seconds)
        const { headers, ...others } = visible(refused)
        history.push({ ...others, headers: { ...headers, 'retry-after': seconds } })
        await waitOut(email)
        assertRefusal(await guess(email), endpoint, 'LOGIN_FAILED')
      }
      histories.push(history)
    }
    assert.deepEqual(histories[0], histories[1])
  })

  it('429 RATE_LIMITED during a pause for the right password too, and it works after', async () => {
    const person = await makePerson(stage)
    await exhaust(person.email)
    assertPause(await guess(person.email, PASSWORD), 100, 128)
    await waitOut(person.email)
    await step(stage, endpoint, credentialsOf(stage, person))
  })

  it('429 RATE_LIMITED for most of fifty guesses at once, and few are judged', async () => {
    const { email } = await makePerson(stage)
    const responses = await Promise.all(Array.from({ length: 50 }, () => guess(email)))
    const judged = responses.filter(({ statusCode }) => statusCode === 401)
    // Six, and on a machine that takes seconds for this, one after each pause.
    assert(judged.length <= 8, `${judged.length} were judged`)
    for (const response of responses) if (response.statusCode !== 401) assertPause(response, 1, 4)
  })

  it('429 RATE_LIMITED beyond twenty a minute from one address, and from no other', async () => {
    const there = await openDoor({ LOG_INS_PER_MINUTE: '20' })
    try {
      const fields = await fieldsOf(there)
      for (let index = 0; index < 20; index++) await step(there, endpoint, fields)
      const earlier = await dumpDirectory(there)
      assertPause(await callPage(there, endpoint, fields), 1, 60)
      assert.equal(await dumpDirectory(there), earlier)
      assert.equal((await callPage(there, endpoint, fields, '203.0.113.9')).statusCode, 200)
    } finally {
      await there.harness.end()
    }
  })

  it('429 RATE_LIMITED when too many passwords wait to be hashed, and nothing worse', async () => {
    const there = await openDoor({ PASSWORD_HASHES_PER_SECOND: '10' })
    try {
      const responses = await Promise.all(
        Array.from({ length: 100 }, () =>
          callPage(there, endpoint, credentialsOf(there, { email: inventEmail(), password: 'x' })),
        ),
      )
      const judged = responses.filter(({ statusCode }) => statusCode === 401)
      assert(judged.length > 0 && judged.length <= 20, `${judged.length} of 100 were judged`)
      for (const response of responses) {
        const code = response.statusCode === 401 ? 'LOGIN_FAILED' : 'RATE_LIMITED'
        assertRefusal(response, endpoint, code)
      }
    } finally {
      await there.harness.end()
    }
  })
})
