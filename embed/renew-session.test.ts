import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { TEXTS } from './texts-en.ts'
import { mountOnPage, NOW, sessionNamed, UNLINKED, type Sent } from './test/fake-page.ts'

const LOADED: Sent = { type: 'SERVICE_WALLET_LOADED' }
const EXPIRED: Sent = { type: 'SERVICE_AUTH_REQUIRED', reason: 'session_expired' }
const MINUTE_MS = 60_000

afterEach(() => mock.timers.reset())

/** The session tokens of the frames, from back to front. */
function tokensIn(addresses: string[]): (string | null)[] {
  return addresses.map((address) => new URL(address).searchParams.get('session'))
}

describe('a session', () => {
  it('is renewed half a minute before it ends, behind the visible wallet', async () => {
    const { post, pass, addresses, sessions, frames } = await mountOnPage()
    await post(LOADED)
    await pass(4.5 * MINUTE_MS)
    assert.equal(sessions(), 1)
    await pass(100)
    assert.deepEqual(tokensIn(addresses()), ['ws_2', 'ws_1'])
    await post(LOADED, { source: frames()[0]?.contentWindow })
    assert.deepEqual(tokensIn(addresses()), ['ws_2'])
  })

  it('is not renewed while the page is hidden, but as soon as it is visible', async () => {
    const { post, pass, setVisible, sessions, addresses } = await mountOnPage()
    await post(LOADED)
    await setVisible(false)
    await pass(4.5 * MINUTE_MS + 100)
    assert.equal(sessions(), 1)
    await setVisible(true)
    assert.deepEqual(tokensIn(addresses()), ['ws_2', 'ws_1'])
  })

  it('that ended while the page was hidden is not shown', async () => {
    const { post, pass, setVisible, addresses } = await mountOnPage()
    await post(LOADED)
    await setVisible(false)
    await pass(5 * MINUTE_MS)
    await setVisible(true)
    assert.deepEqual(tokensIn(addresses()), ['ws_2'])
  })

  it('is not renewed early, however often the page becomes visible', async () => {
    const { post, pass, setVisible, sessions } = await mountOnPage()
    await post(LOADED)
    for (let minute = 0; minute < 4; minute += 1) {
      await pass(MINUTE_MS)
      await setVisible(false)
      await setVisible(true)
    }
    assert.equal(sessions(), 1)
  })

  it('that cannot be renewed in time stays visible without a notice', async () => {
    let calls = 0
    const { post, pass, notices, errors, addresses } = await mountOnPage({
      fetchSession: async () => {
        calls += 1
        if (calls > 1) throw new Error('offline')
        return sessionNamed('ws_1')
      },
    })
    await post(LOADED)
    await pass(4.5 * MINUTE_MS + 100)
    assert.deepEqual(errors, [['fetchSession', 'offline']])
    assert.deepEqual([notices().length, tokensIn(addresses())], [0, ['ws_1']])
    await post(EXPIRED)
    await pass(0)
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
  })
})

describe('a session that ends too early', () => {
  it('is renewed three times with growing delays, and then only by the user', async () => {
    const { post, pass, sessions, errors, notices, press } = await mountOnPage()
    for (const [index, pauseMs] of [0, 1_000, 4_000].entries()) {
      await post(EXPIRED)
      await pass(Math.max(0, pauseMs - 1))
      assert.equal(sessions(), pauseMs === 0 ? 2 : index + 1)
      await pass(1)
      assert.equal(sessions(), index + 2)
      await post(LOADED)
    }
    assert.deepEqual(errors, [])
    await post(EXPIRED)
    assert.match(String(errors), /^renewal,Several sessions in a row ended immediately\. Check/)
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
    await press(TEXTS.retry)
    assert.equal(sessions(), 5)
    assert.equal(notices().length, 0)
  })

  it('starts the count again after a session that lasted', async () => {
    const { post, pass, sessions, errors } = await mountOnPage()
    for (let turn = 0; turn < 6; turn += 1) {
      await post(LOADED)
      await pass(MINUTE_MS + 1)
      await post(EXPIRED)
      await pass(0)
    }
    assert.deepEqual([sessions(), errors], [7, []])
  })

  it('is renewed once, however often the frame reports it', async () => {
    let calls = 0
    const { post, pass } = await mountOnPage({
      fetchSession: () => {
        calls += 1
        if (calls === 1) return Promise.resolve(sessionNamed('ws_1'))
        return new Promise<never>(() => undefined)
      },
    })
    await post(LOADED)
    await post(EXPIRED)
    await pass(0)
    await post(EXPIRED)
    await post(EXPIRED)
    await pass(10_000)
    assert.equal(calls, 2)
  })

  it('does not cover the visible wallet', async () => {
    const { post, pass, frames, addresses } = await mountOnPage()
    await post(LOADED)
    await pass(4.5 * MINUTE_MS + 100)
    await post(EXPIRED, { source: frames()[0]?.contentWindow })
    assert.deepEqual(tokensIn(addresses()), ['ws_2', 'ws_1'])
  })
})

describe('a wallet that sends no message', () => {
  it('is reported after fifteen seconds, with a button to try again', async () => {
    const { pass, errors, notices, press, sessions } = await mountOnPage()
    await pass(14_999)
    assert.deepEqual(errors, [])
    await pass(1)
    assert.match(
      String(errors[0]),
      /^loadFrame,The wallet did not load within 15 seconds\. .*origin/,
    )
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
    await press(TEXTS.retry)
    assert.equal(sessions(), 2)
  })

  it('loses its notice when it sends a message later', async () => {
    const { pass, post, notices } = await mountOnPage()
    await pass(15_000)
    await post(LOADED)
    assert.equal(notices().length, 0)
  })

  it('is not reported once it has sent a message', async () => {
    const { pass, post, errors } = await mountOnPage()
    await post(LOADED)
    await pass(15_000)
    assert.deepEqual(errors, [])
  })

  it('is removed if the previous one is still shown, which is renewed when its session ends', async () => {
    const { pass, post, addresses, notices, errors, sessions } = await mountOnPage()
    await post(LOADED)
    await pass(4.5 * MINUTE_MS + 100)
    await pass(15_000)
    assert.deepEqual(tokensIn(addresses()), ['ws_1'])
    assert.deepEqual([notices().length, errors[0]?.[0]], [0, 'loadFrame'])
    assert.equal(sessions(), 2)
    await post(EXPIRED)
    await pass(0)
    assert.equal(sessions(), 3)
  })
})

describe('the result of fetchSession', () => {
  it('is reported if it is an error, invalid or late, and the user can retry', async () => {
    const cases: [() => Promise<never>, RegExp][] = [
      [() => Promise.reject(new Error('offline')), /^offline$/],
      [
        () => {
          throw new Error('a bug of the page')
        },
        /^a bug of the page$/,
      ],
      [
        async () => undefined as never,
        /must return \{ sessionToken, expiresAt \} or \{ challenge \}/,
      ],
      [
        async () => ({ sessionToken: 7 }) as never,
        /must return \{ sessionToken, expiresAt \} or \{ challenge \}/,
      ],
      [() => new Promise<never>(() => undefined), /^No result within 20 seconds$/],
    ]
    for (const [fetchSession, message] of cases) {
      const { pass, errors, notices, frames } = await mountOnPage({ fetchSession })
      await pass(20_000)
      assert.equal(errors[0]?.[0], 'fetchSession')
      assert.match(errors[0]?.[1] ?? '', message)
      assert.deepEqual([notices()[0]?.text, frames()], [TEXTS.openFailed, []])
      mock.timers.reset()
    }
  })

  it('shows the login if there is none, without renewals', async () => {
    const { addresses, post, pass, errors } = await mountOnPage({
      fetchSession: async () => UNLINKED,
    })
    assert.match(addresses()[0] ?? '', /clientId=app_1&state=[\d-]+&challenge=[\w-]+$/)
    await post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' })
    const [before] = addresses()
    await pass(60 * MINUTE_MS)
    assert.deepEqual([addresses(), errors], [[before], []])
  })

  it('that became the login is not renewed when the page becomes visible later', async () => {
    let calls = 0
    const { post, pass, setVisible, addresses } = await mountOnPage({
      fetchSession: async () => (++calls === 1 ? sessionNamed('ws_1') : UNLINKED),
    })
    await post(LOADED)
    await post({ type: 'SERVICE_LOGOUT_REQUEST' })
    const login = addresses()
    await setVisible(false)
    await pass(10 * MINUTE_MS)
    await setVisible(true)
    assert.deepEqual(addresses(), login)
  })

  it('determines when the session is renewed', async () => {
    const expiresAt = new Date(NOW + 2 * MINUTE_MS).toISOString()
    let calls = 0
    const { post, pass } = await mountOnPage({
      fetchSession: async () => ({ sessionToken: `ws_${++calls}`, expiresAt }),
    })
    await post(LOADED)
    await pass(1.5 * MINUTE_MS)
    assert.equal(calls, 1)
    await pass(100)
    assert.equal(calls, 2)
  })
})
