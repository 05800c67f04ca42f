/** Somebody with an account of their own and many cookies of known browsers cannot keep others from logging in. */
import { logInToAccount } from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import { logIn, signUp } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { issueDevice } from '../../identity/recognize-device.ts'
import { makePerson, newcomer, openSignIn, SAME_ORIGIN } from '../sign-in.ts'
import type { Fields, Setup } from '../setup.ts'

const ATTACKER = '203.0.113.66'
const BROWSERS = 20
const EVERY_MS = 125
const VISITORS = 6

describe('a flood of logins to one account with many known browsers', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn({ PASSWORD_HASHES_PER_SECOND: '5', LOG_INS_PER_MINUTE: '20' })
  })
  after(() => setup.harness.end())

  const send = (endpoint: Endpoint, fields: Fields, address: string, cookie?: string) =>
    setup.harness.inject({
      method: 'POST',
      url: endpoint.path,
      payload: JSON.stringify(fields),
      headers: { 'content-type': 'application/json', ...SAME_ORIGIN, ...(cookie && { cookie }) },
      remoteAddress: address,
    })

  it('refuses no login and no sign-up from other networks', async () => {
    const { clientId } = setup.app
    const { email, password } = await makePerson(setup)
    const visitors = await Promise.all(Array.from({ length: VISITORS }, () => makePerson(setup)))
    const { peppers } = setup.harness.context.config
    const cookies = Array.from(
      { length: BROWSERS },
      () => `__Host-coffer-device=${issueDevice(peppers, 'person', email)}`,
    )
    const flood: Promise<number>[] = []
    const timer = setInterval(() => {
      const cookie = cookies[flood.length % BROWSERS]
      const response = send(logInToAccount, { email, password }, ATTACKER, cookie)
      flood.push(response.then(({ statusCode }) => statusCode))
    }, EVERY_MS)
    await sleep(3_000)
    const statuses: number[] = []
    for (const [index, visitor] of visitors.entries()) {
      const fields = { clientId, email: visitor.email, password: visitor.password }
      const [endpoint, input] = index % 2 === 0 ? [logIn, fields] : [signUp, newcomer(setup)]
      statuses.push((await send(endpoint, input, `198.51.100.${index}`)).statusCode)
    }
    clearInterval(timer)
    const results = await Promise.all(flood)
    assert.deepEqual(statuses, Array(VISITORS).fill(200))
    assert(results.includes(429), 'the flood was not too fast')
    const accepted = results.filter((status) => status === 200).length
    assert(accepted <= BROWSERS, `${accepted} logins of one account were accepted`)
  })
})
