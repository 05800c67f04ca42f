/** No caller can flood a mailbox: everything that sends an email on request is limited per address. */
import * as accountApi from '@coffer/contract/account/account'
import * as widgetApi from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { ask, logInAs, openPersonSetupWithMail } from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'
import {
  callPage,
  inventEmail,
  makePerson,
  newcomer,
  PASSWORD,
  untilRateLimited,
} from '../test/sign-in.ts'

type MailSetup = Awaited<ReturnType<typeof openPersonSetupWithMail>>

/** An address, and a request that sends one email to it. */
interface Sender {
  email: string
  send: () => Promise<LightMyRequestResponse>
}

interface Row {
  title: string
  /** The file that sends the email. */
  file: string
  open: (setup: MailSetup) => Promise<Sender>
}

const THROTTLED: readonly Row[] = [
  {
    title: 'signing up with a new address',
    file: 'server/identity/sign-up.ts',
    async open(setup) {
      const fields = newcomer(setup)
      return { email: fields.email, send: () => callPage(setup, widgetApi.signUp, fields) }
    },
  },
  {
    title: 'logging in to an account whose address is not verified',
    file: 'server/identity/take-next-step.ts',
    async open(setup) {
      const { email } = await makePerson(setup, { isVerified: false })
      const fields = { clientId: setup.app.clientId, email, password: PASSWORD }
      return { email, send: () => callPage(setup, widgetApi.logIn, fields) }
    },
  },
  {
    title: 'forgetting the password in the widget',
    file: 'server/identity/reset-password.ts',
    async open(setup) {
      const { email } = await makePerson(setup)
      const fields = { clientId: setup.app.clientId, email }
      return { email, send: () => callPage(setup, widgetApi.forgotPassword, fields) }
    },
  },
  {
    title: 'changing the email address',
    file: 'server/account/change-email.ts',
    async open({ harness, ...setup }) {
      const person = await makePerson({ harness, ...setup })
      const signedIn = { harness, person: { cookie: await logInAs(harness, person.email) } }
      const email = inventEmail()
      const fields = { email, password: PASSWORD }
      return { email, send: () => ask(signedIn, accountApi.changeEmail, fields) }
    },
  },
]
/**
 * Notify the owner after a change that required the password, and the contacts of a client app after a change that an
 * operator confirmed. An alert about debits is sent once per app and hour, a receipt once per payment, a suspension of
 * the automatic top-up once until the person saves it, and the notice that a webhook was disabled once until somebody
 * enables it, and the result of a check once until it changes. These never wait: a notice that can be suppressed is none. Notices to owners limit themselves. Emails
 * that people want about payments and their balance are gathered, at most six of a kind per hour.
 */
const NOTICES = [
  'server/account/alerts/send-alerts.ts',
  'server/account/add-passkey.ts',
  'server/account/change-password.ts',
  'server/account/remove-passkey.ts',
  'server/account/undo-email-change.ts',
  'server/admin/client-apps/replace-client-secret.ts',
  'server/admin/client-apps/watch-debits.ts',
  'server/cli/check.ts',
  'server/mail/notify-contacts.ts',
  'server/identity/notify-owner.ts',
  'server/topup/automatic/end-automatic-charge.ts',
  'server/topup/send-receipt.ts',
  'server/events/webhooks/record-attempts.ts',
]

describe('emails on request', () => {
  let setup: MailSetup
  before(async () => {
    setup = await openPersonSetupWithMail({ SIGN_UPS_PER_HOUR: '100000' })
  })
  after(() => setup.close())

  it('every file that sends emails has a row', () => {
    const senders = globSync('server/**/*.ts').filter(
      (file) => !/\.test\.ts$|^server\/test\//.test(file) && isSender(readFileSync(file, 'utf8')),
    )
    const rows = new Set([...THROTTLED.map(({ file }) => file), ...NOTICES])
    assert.deepEqual(senders.toSorted(), [...rows].toSorted())
  })

  const isSender = (source: string) => /mailer\??\.(send|deliver)\(/.test(source)

  for (const { title, open } of THROTTLED) {
    it(`429 RATE_LIMITED for ${title} too often, without further emails`, async () => {
      const { email, send } = await open(setup)
      const count = await untilRateLimited(send)
      for (let index = 0; index < count; index++) await setup.mail.read(email)
      assert.equal(setup.mail.count(email), 0)
    })
  }

  it('400 INVALID_REQUEST for an address that contains the address of somebody else, without an email', async () => {
    const victim = inventEmail()
    const { clientId } = setup.app
    const spellings = [`n1<${victim}>`, `${victim},a.b`, `"a"<${victim}>`, `all:${victim};`]
    for (const email of spellings) {
      const requests = [
        [widgetApi.signUp, { ...newcomer(setup), email }],
        [widgetApi.forgotPassword, { clientId, email }],
        [accountApi.forgotAccountPassword, { email }],
        [accountApi.changeEmail, { email, password: PASSWORD }],
      ] as const
      for (const [endpoint, fields] of requests) {
        const response = await ask(setup, endpoint, fields)
        assertRefusal(response, endpoint, 'INVALID_REQUEST', 'email')
      }
    }
    assert.equal(setup.mail.count(victim), 0)
  })

  it('200 sends the link for a new password after a stranger signs up with it too often', async () => {
    const { email } = await makePerson(setup)
    await untilRateLimited(() => callPage(setup, widgetApi.signUp, { ...newcomer(setup), email }))
    await setup.harness.admin.query(
      `update directory.log_in_failures set blocked_until = now() + interval '1 minute'`,
    )
    const { harness } = setup
    const response = await ask({ harness }, accountApi.forgotAccountPassword, { email })
    assert.equal(response.statusCode, 200, response.body)
    await setup.mail.readTicket(email)
  })
})
