/** Links in emails lead to ACCOUNT_URL itself: a redirect would need a second host to be reachable. */
import { forgotAccountPassword } from '@coffer/contract/account/account'
import { replaceClientSecret } from '@coffer/contract/admin/client-apps'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, makePerson } from '../test/account-setup.ts'
import { askAs, makeOperator } from '../test/admin-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { makeUsedApp } from '../test/limit-setup.ts'
import { startMailServer, type MailServer } from '../test/mail-server.ts'
import { atHost, HOSTS, SEPARATE_ENV } from '../test/separate-hosts.ts'

describe('links in emails', () => {
  let harness: Harness
  let mail: MailServer
  before(async () => {
    mail = await startMailServer()
    harness = await startHarness({ ...SEPARATE_ENV, ...mail.env })
  })
  after(async () => {
    await harness.end()
    await mail.stop()
  })

  const ACCOUNT = /^https:\/\/account\.wallet\.example\/account/m

  it('to reset a password begin with ACCOUNT_URL, whatever host the request names', async () => {
    const host = atHost(harness, HOSTS.account)
    const { email } = await makePerson(host)
    const headers = { 'x-forwarded-host': 'evil.example' }
    await ask({ harness: host }, forgotAccountPassword, { email }, headers)
    const { text = '' } = await mail.readSubject(email, /new password/)
    assert.match(text, ACCOUNT)
    assert.doesNotMatch(text, /evil\.example/)
  })

  it('to a client secret begin with ACCOUNT_URL', async () => {
    const host = atHost(harness, HOSTS.admin)
    const operator = await makeOperator(host, 'operator')
    const { clientId, contact } = await makeUsedApp({ harness: host })
    const response = await askAs({ harness: host }, operator, replaceClientSecret, { clientId })
    assert.equal(response.statusCode, 200, response.body)
    assert.match((await mail.read(contact)).text ?? '', ACCOUNT)
  })
})
