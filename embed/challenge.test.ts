import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { mountOnPage, sessionNamed, settle, type Sent } from './test/fake-page.ts'

const LOG_OUT: Sent = { type: 'SERVICE_LOGOUT_REQUEST' }
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

function challengeIn(address = ''): string | null {
  return new URL(address).searchParams.get('challenge')
}

afterEach(() => mock.timers.reset())

describe('the challenge of a login', () => {
  it('comes from fetchSession and is in the address of the login', async () => {
    const { addresses } = await mountOnPage({
      fetchSession: async () => ({ challenge: CHALLENGE }),
    })
    const { searchParams } = new URL(addresses()[0] ?? '')
    assert.deepEqual([...searchParams.keys()], ['clientId', 'state', 'challenge'])
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })

  it('comes from clearLink when the user switches accounts', async () => {
    const { post, addresses } = await mountOnPage({
      clearLink: async () => ({ challenge: CHALLENGE }),
    })
    await post(LOG_OUT)
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })

  it('is absent if the backend returns none', async () => {
    for (const given of [undefined, null, {}, { challenge: 5 }, 'x', new Response()]) {
      const { post, addresses } = await mountOnPage({ clearLink: async () => given })
      await post(LOG_OUT)
      assert.equal(challengeIn(addresses()[0]), null)
      mock.timers.reset()
    }
    const { addresses } = await mountOnPage({ fetchSession: async () => null })
    assert.equal(challengeIn(addresses()[0]), null)
  })

  it('is not used if there is a session', async () => {
    const session = { ...sessionNamed('ws_1'), challenge: CHALLENGE }
    const { addresses } = await mountOnPage({ fetchSession: async () => session })
    assert.match(addresses()[0] ?? '', /session=ws_1$/)
  })

  it('is used when the top-up finds that the link has ended', async () => {
    const given = [sessionNamed('ws_1'), { challenge: CHALLENGE }]
    const { wallet, addresses } = await mountOnPage({
      fetchSession: async () => given.shift() ?? null,
    })
    wallet.openTopup()
    await settle()
    assert.equal(challengeIn(addresses()[0]), CHALLENGE)
  })

  it('is reported if fetchSession returns something else', async () => {
    const { errors } = await mountOnPage({ fetchSession: async () => ({ challenge: 5 }) as never })
    assert.equal(errors[0]?.[0], 'fetchSession')
  })
})
