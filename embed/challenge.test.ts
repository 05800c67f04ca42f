import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import {
  CHALLENGE,
  mountOnPage,
  sessionNamed,
  runCallbacks,
  UNLINKED,
  type Sent,
} from './test/fake-page.ts'

const LOG_OUT: Sent = { type: 'SERVICE_LOGOUT_REQUEST' }

function challengeIn(address = ''): string | null {
  return new URL(address).searchParams.get('challenge')
}

afterEach(() => mock.timers.reset())

describe('the challenge of a login', () => {
  it('comes from fetchSession and is in the address of the login', async () => {
    const { addresses } = await mountOnPage({ fetchSession: async () => UNLINKED })
    const { searchParams } = new URL(addresses()[0] ?? '')
    assert.deepEqual([...searchParams.keys()], ['clientId', 'state', 'challenge'])
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })

  it('comes from clearLink when the user switches accounts', async () => {
    const { post, addresses } = await mountOnPage()
    await post(LOG_OUT)
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })

  it('is required: the login is not shown without one', async () => {
    for (const given of [undefined, null, {}, { challenge: 5 }, 'x', new Response()]) {
      const { post, addresses, errors } = await mountOnPage({
        clearLink: async () => given as never,
      })
      const before = addresses()
      await post(LOG_OUT)
      assert.deepEqual(addresses(), before)
      assert.deepEqual(errors, [['clearLink', 'clearLink must return { challenge }']])
      mock.timers.reset()
      const unlinked = await mountOnPage({ fetchSession: async () => given as never })
      assert.deepEqual(unlinked.addresses(), [])
      const fault = 'fetchSession must return { sessionToken, expiresAt } or { challenge }'
      assert.deepEqual(unlinked.errors, [['fetchSession', fault]])
      mock.timers.reset()
    }
  })

  it('is not used if there is a session', async () => {
    const session = { ...sessionNamed('ws_1'), challenge: CHALLENGE }
    const { addresses } = await mountOnPage({ fetchSession: async () => session })
    assert.match(addresses()[0] ?? '', /session=ws_1$/)
  })

  it('is used when the top-up finds that the link has ended', async () => {
    const given = [sessionNamed('ws_1')]
    const { wallet, addresses } = await mountOnPage({
      fetchSession: async () => given.shift() ?? UNLINKED,
    })
    wallet.openTopup()
    await runCallbacks()
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })
})
