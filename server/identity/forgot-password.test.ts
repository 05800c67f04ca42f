import { forgotPassword as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { callPage, inventEmail, makePerson, openSignInWithMail, step } from '../test/sign-in.ts'
import { connectAdmin } from '../test/harness.ts'
import * as refusals from '../test/refusals.ts'
import type { Setup } from '../test/setup.ts'

describe('POST /api/widget/auth/forgot', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  before(async () => {
    service = await openSignInWithMail()
  })
  after(() => service.close())

  const fieldsOf = ({ app }: Setup) => ({ clientId: app.clientId, email: inventEmail() })

  it('200 sends a link to the address of the account for every spelling', async () => {
    const { email } = await makePerson(service)
    const result = await step(service, endpoint, {
      ...fieldsOf(service),
      email: email.toUpperCase(),
    })
    // Only the mailbox gets the ticket.
    assert.deepEqual(result, { step: 'reset' })
    const mail = await service.mail.read(email)
    // Another spelling may be another mailbox.
    assert.equal([mail.to].flat()[0]?.text, email)
    assert.equal(mail.subject, 'Set a new password for your wallet')
    assert.match(mail.text ?? '', /^http:\/\/127\.0\.0\.1:8080\/account#reset\?ticket=[\w-]{32}$/m)
    assert.match(mail.text ?? '', /valid for 60 minutes/)
    assert.equal(mail.from?.text, '"Coffer" <wallet@service.example>')
  })

  it('200 returns the same response for an unknown email, and sends nothing', async () => {
    const { email } = await makePerson(service)
    const known = await callPage(service, endpoint, { ...fieldsOf(service), email })
    const nobodys = fieldsOf(service)
    const unknown = await callPage(service, endpoint, nobodys)
    const shapeOf = ({ statusCode, headers, body }: typeof known) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers
      return { statusCode, headers: others, body }
    }
    assert.deepEqual(shapeOf(unknown), shapeOf(known))
    await service.mail.readTicket(email)
    assert.equal(service.mail.count(nobodys.email), 0)
  })

  it('200 sends a link to our own site, whatever Host header the request has', async () => {
    const { email } = await makePerson(service)
    const response = await service.harness.inject({
      method: 'POST',
      url: endpoint.path,
      payload: JSON.stringify({ ...fieldsOf(service), email }),
      headers: {
        'content-type': 'application/json',
        host: 'attacker.example',
        'x-forwarded-host': 'attacker.example',
        'sec-fetch-site': 'same-origin',
      },
    })
    assert.equal(response.statusCode, 200)
    const { text } = await service.mail.read(email)
    assert(!text?.includes('attacker.example'), text)
  })

  it('200 sends nothing to an address that the person leaves at the same moment', async () => {
    const { email, id } = await makePerson(service)
    const { admin, databaseUrl } = service.harness
    const moving = await connectAdmin(databaseUrl)
    await moving.query('begin')
    await moving.query('update directory.people set email = $2 where service_user_id = $1', [
      id,
      inventEmail(),
    ])
    const response = callPage(service, endpoint, { ...fieldsOf(service), email })
    const blocked = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%directory.tickets%'`
    while ((await admin.query(blocked)).rowCount === 0) {
      assert.equal(await Promise.race([response, sleep(20, 'waits')]), 'waits')
    }
    await moving.query('commit')
    await moving.end()
    assert.deepEqual((await response).json(), { step: 'reset' })
    const { rowCount } = await admin.query(
      'select from directory.tickets where service_user_id = $1',
      [id],
    )
    assert.equal(rowCount, 0)
    assert.equal(service.mail.count(email), 0)
  })

  it('200 even while the mail server is unreachable, so the response reveals nothing', async () => {
    const lost = await openSignInWithMail({ SMTP_URL: 'smtp://127.0.0.1:1' })
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

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(service, endpoint, fieldsOf, {
      clientId: ['', 'app_', `app_${'0'.repeat(24)}`],
      email: ['', 'a', 'a@b', 'a@b.c\r\nBcc: d@e.f'],
    }))
})
