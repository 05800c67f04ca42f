import { forgotPassword as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  inventEmail,
  makePerson,
  openDoorWithMail,
  step,
  untilPaused,
} from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import type { Stage } from '../test/setup.ts'

describe('POST /api/widget/auth/forgot', () => {
  let door: Awaited<ReturnType<typeof openDoorWithMail>>
  before(async () => {
    door = await openDoorWithMail()
  })
  after(() => door.close())

  const fieldsOf = ({ app }: Stage) => ({ clientId: app.clientId, email: inventEmail() })

  it('200 sends a code to the address of the account, however it was written', async () => {
    const { email } = await makePerson(door)
    const asked = await step(door, endpoint, { ...fieldsOf(door), email: email.toUpperCase() })
    assert.deepEqual(Object.keys(asked), ['step', 'ticket'])
    assert.equal(asked.step, 'reset')
    const mail = await door.mail.read(email)
    assert.match(mail.subject ?? '', /^\d{6} is your code for a new password$/)
    assert.match(mail.text ?? '', /valid for 10 minutes/)
    assert.equal(mail.from?.text, '"Coffer" <wallet@service.example>')
  })

  it('200 answers the same for an e-mail that nobody has, and sends nothing', async () => {
    const { email } = await makePerson(door)
    const known = await callPage(door, endpoint, { ...fieldsOf(door), email })
    const nobodys = fieldsOf(door)
    const unknown = await callPage(door, endpoint, nobodys)
    const shapeOf = ({ statusCode, headers, body }: typeof known) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers
      return { statusCode, headers: others, body: body.replace(/"[\w-]{32}"/, '"ticket"') }
    }
    assert.deepEqual(shapeOf(unknown), shapeOf(known))
    await door.mail.readCode(email)
    assert.equal(door.mail.count(nobodys.email), 0)
  })

  it('200 also while the mail server is away: the answer tells nothing', async () => {
    const lost = await openDoorWithMail({ SMTP_URL: 'smtp://127.0.0.1:1' })
    try {
      const { email } = await makePerson(lost)
      await step(lost, endpoint, { ...fieldsOf(lost), email })
    } finally {
      await lost.close()
    }
    const lines = lost.harness.logLines.join('')
    assert.match(lines, /could not send an email/)
    assert.doesNotMatch(lines, /@example\.com/)
  })

  it('400 INVALID_REQUEST for fields that cannot be what they should', () =>
    refusals.refusesValues(door, endpoint, fieldsOf, {
      clientId: ['', 'app_', `app_${'0'.repeat(24)}`],
      email: ['', 'a', 'a@b', 'a@b.c\r\nBcc: d@e.f'],
    }))

  it('429 RATE_LIMITED with a growing pause for one e-mail, whether it is known or not', async () => {
    const { email } = await makePerson(door)
    for (const fields of [{ ...fieldsOf(door), email }, fieldsOf(door)]) {
      const sent = await untilPaused(() => callPage(door, endpoint, fields))
      if (fields.email !== email) continue
      for (let index = 0; index < sent; index++) await door.mail.readCode(email)
    }
    assert.equal(door.mail.count(email), 0)
  })
})
