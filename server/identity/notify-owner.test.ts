/** The owner of an account learns by email what somebody did with it. */
import { logInToAccount } from '@coffer/contract/account/account'
import { agree, logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  makePerson,
  openSignInWithMail,
  PASSWORD,
  step,
  type TestPerson,
} from '../test/sign-in.ts'

let service: Awaited<ReturnType<typeof openSignInWithMail>>
before(async () => {
  service = await openSignInWithMail()
})
after(() => service.close())

const logInWith = ({ email }: TestPerson, password: string) =>
  callPage(service, logIn, { clientId: service.app.clientId, email, password })

describe('the owner gets an email', () => {
  const subjects = async (email: string, count: number) => {
    const found: string[] = []
    for (let index = 0; index < count; index++) {
      found.push((await service.mail.read(email)).subject ?? '')
    }
    return found
  }
  const LINKED = 'An app was connected to your wallet'

  it('when an app is linked, and when somebody logs in at a linked app', async () => {
    const person = await makePerson(service)
    const { ticket } = (await logInWith(person, PASSWORD)).json<{ ticket: string }>()
    await step(service, agree, { ticket })
    const mail = await service.mail.readSubject(person.email, /^An app was connected/)
    const { rows } = await service.harness.admin.query<{ name: string }>(
      'select name from directory.client_apps where id = $1',
      [service.app.id],
    )
    assert(mail.text?.startsWith(`${rows[0]?.name} was connected`), mail.text)
    await logInWith(person, PASSWORD)
    assert.deepEqual(await subjects(person.email, 1), [LINKED])
  })

  /** Logs in at /account with a browser that has these cookies, and returns its cookies. */
  async function enter(email: string, password: string, cookie = ''): Promise<string> {
    const response = await service.harness.inject({
      method: 'POST',
      url: logInToAccount.path,
      payload: JSON.stringify({ email, password }),
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        cookie,
      },
    })
    assert.equal(response.statusCode, 200, response.body)
    const cookies = [response.headers['set-cookie']].flat()
    return cookies.map((each) => String(each).split(';')[0]).join('; ')
  }
  const NEW_LOG_IN = /^New login to your wallet account$/

  it('when somebody logs in with a new browser, and not with a known one', async () => {
    const { email } = await makePerson(service)
    const cookies = await enter(email, PASSWORD)
    const mail = await service.mail.readSubject(email, NEW_LOG_IN)
    assert.match(mail.text ?? '', /Firefox on Linux/)
    await enter(email, PASSWORD, cookies)
    await sleep(500)
    assert.equal(service.mail.count(email), 0)
  })
})
