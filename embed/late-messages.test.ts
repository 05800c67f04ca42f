/** Responses of the page's backend and messages that arrive late, twice or after the wallet is removed. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { TEXTS } from './texts-en.ts'
import {
  createDeferred,
  mountOnPage,
  SERVICE,
  sessionNamed,
  runCallbacks,
  UNLINKED,
  type FakeElement,
  type Sent,
} from './test/fake-page.ts'
import type { WalletChallenge, WalletSession } from './wallet-options.ts'

const LOADED: Sent = { type: 'SERVICE_WALLET_LOADED' }
const UPDATED: Sent = { type: 'SERVICE_WALLET_UPDATED' }
const LOG_OUT: Sent = { type: 'SERVICE_LOGOUT_REQUEST' }
const OPEN: Sent = { type: 'SERVICE_OPEN_TOPUP' }
const EXPIRED: Sent = { type: 'SERVICE_AUTH_REQUIRED', reason: 'session_expired' }
const RENEWAL_MS = 270_100

afterEach(() => mock.timers.reset())

function isShown(frame: FakeElement | undefined): boolean {
  assert(frame)
  return frame.style['visibility'] === ''
}

/** A backend that responds when the test tells it to. */
function holdSessions() {
  const held: ReturnType<typeof createDeferred<WalletSession | WalletChallenge>>[] = []
  const fetchSession = () => {
    const next = createDeferred<WalletSession | WalletChallenge>()
    held.push(next)
    return next.promise
  }
  return {
    fetchSession,
    count: () => held.length,
    give: async (index: number, session: WalletSession | WalletChallenge) => {
      held[index]?.resolve(session)
      await runCallbacks()
    },
    fail: async (index: number) => {
      held[index]?.reject(new Error('offline'))
      await runCallbacks()
    },
  }
}

describe('messages out of order', () => {
  it('the response to an earlier reload is ignored', async () => {
    const waiting: ((token: string) => void)[] = []
    const fetchSession = () =>
      new Promise<ReturnType<typeof sessionNamed>>((resolve) => {
        waiting.push((token) => resolve(sessionNamed(token)))
      })
    const { wallet, addresses } = await mountOnPage({ fetchSession })
    wallet.reload()
    waiting[1]?.('ws_new')
    await runCallbacks()
    waiting[0]?.('ws_old')
    await runCallbacks()
    assert.deepEqual(addresses(), [`${SERVICE}/widget/wallet?clientId=app_1&session=ws_new`])
  })

  it('an update before the wallet has loaded reaches the page', async () => {
    const { post, events } = await mountOnPage()
    await post(UPDATED)
    await post(LOADED)
    await post(LOADED)
    assert.deepEqual(events, [UPDATED.type, LOADED.type, LOADED.type])
  })
  it('the failure of an earlier reload is ignored', async () => {
    const { fetchSession, give, fail } = holdSessions()
    const { wallet, errors, notices, addresses } = await mountOnPage({ fetchSession })
    wallet.reload()
    await give(1, sessionNamed('ws_new'))
    await fail(0)
    assert.deepEqual([errors, notices().length, addresses().length], [[], 0, 1])
  })

  it('a reload removes the wallet and the notice of the previous user', async () => {
    const { fetchSession, give, fail } = holdSessions()
    const { wallet, post, frames, notices } = await mountOnPage({ fetchSession })
    await give(0, sessionNamed('ws_1'))
    await post(LOADED)
    wallet.reload()
    assert.deepEqual(frames(), [])
    await fail(1)
    assert.equal(notices().length, 1)
    wallet.reload()
    assert.equal(notices().length, 0)
  })

  it('a reload cancels a pending renewal and the timeout of a frame', async () => {
    const { fetchSession, give, count } = holdSessions()
    const { wallet, post, pass, errors } = await mountOnPage({ fetchSession })
    await give(0, sessionNamed('ws_1'))
    await post(EXPIRED)
    await pass(0)
    await give(1, sessionNamed('ws_2'))
    await post(EXPIRED)
    wallet.reload()
    await pass(1_000)
    assert.equal(count(), 3)
    await give(2, sessionNamed('ws_3'))
    wallet.reload()
    await pass(15_000)
    assert.deepEqual(errors, [])
  })

  it('an unlinked user sees the login instead of the wallet', async () => {
    const { fetchSession, give } = holdSessions()
    const { post, pass, addresses, errors } = await mountOnPage({ fetchSession })
    await give(0, sessionNamed('ws_1'))
    await post(LOADED)
    await pass(RENEWAL_MS)
    await give(1, UNLINKED)
    assert.equal(addresses().length, 1)
    assert.match(addresses()[0] ?? '', /state=/)
    assert.deepEqual(errors, [])
  })

  it('a session that expires during its renewal is not renewed twice', async () => {
    const { post, pass, frames, sessions } = await mountOnPage()
    await post(LOADED)
    await pass(RENEWAL_MS)
    await post(EXPIRED, { source: frames()[1]?.contentWindow })
    await pass(10_000)
    assert.equal(sessions(), 2)
  })

  it('a renewal that fails after the session has expired is shown', async () => {
    const { fetchSession, give, fail } = holdSessions()
    const { post, pass, notices } = await mountOnPage({ fetchSession })
    await give(0, sessionNamed('ws_1'))
    await post(LOADED)
    await pass(RENEWAL_MS)
    await post(EXPIRED)
    await fail(1)
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
  })

  it('a message from the visible wallet does not count as a message from the one behind it', async () => {
    const { post, pass, frames, errors } = await mountOnPage()
    await post(LOADED)
    await pass(RENEWAL_MS)
    await post(UPDATED, { source: frames()[1]?.contentWindow })
    await pass(15_000)
    assert.equal(errors[0]?.[0], 'loadFrame')
    assert.equal(frames().length, 1)
  })

  it('a wallet that stays silent is not shown: a notice replaces it and the one before it', async () => {
    const { post, pass, addresses, notices, frames } = await mountOnPage()
    await post(LOADED)
    await post(EXPIRED)
    await pass(0)
    await pass(15_000)
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
    assert.deepEqual(addresses(), [`${SERVICE}/widget/wallet?clientId=app_1&session=ws_2`])
    assert.equal(isShown(frames()[0]), false)
  })

  it("a page that sends no message is not shown, because it can be the browser's error page", async () => {
    const { post, pass, notices, frames } = await mountOnPage()
    const [frame] = frames()
    frame?.emit('load')
    assert.equal(isShown(frame), false)
    await pass(15_000)
    assert.equal(isShown(frame), false)
    assert.equal(notices()[0]?.text, TEXTS.openFailed)
    await post({ type: 'SERVICE_RESIZED', height: 500 })
    assert.equal(isShown(frame), true)
    await post(LOADED)
    assert.deepEqual([isShown(frame), notices()], [true, []])
  })
})

describe('a notice', () => {
  it('stays when the wallet sends an update or is renewed', async () => {
    const { post, pass, notices, blockWindows } = await mountOnPage()
    await pass(15_000)
    await post(LOADED)
    blockWindows()
    await post(OPEN)
    await post(UPDATED)
    assert.equal(notices()[0]?.text, TEXTS.topupBlocked)
    await pass(RENEWAL_MS)
    assert.equal(notices()[0]?.text, TEXTS.topupBlocked)
  })

  it('disappears when the user does something else', async () => {
    const { post, notices, blockWindows } = await mountOnPage()
    blockWindows()
    await post(OPEN)
    await post(LOG_OUT)
    assert.equal(notices().length, 0)
    mock.timers.reset()
    const other = await mountOnPage({ clearLink: () => Promise.reject(new Error('offline')) })
    await other.post(LOG_OUT)
    assert.equal(other.notices().length, 1)
    await other.post(OPEN)
    assert.equal(other.notices().length, 0)
  })
})

describe('a removed wallet', () => {
  it('sends no request when a link is saved afterwards', async () => {
    let calls = 0
    const saving = createDeferred<void>()
    const { wallet, post, addresses } = await mountOnPage({
      fetchSession: async () => {
        calls += 1
        return UNLINKED
      },
      saveLink: () => saving.promise,
    })
    const state = new URL(addresses()[0] ?? '').searchParams.get('state') ?? ''
    const login = { type: 'SERVICE_AUTH_SUCCESS', serviceUserId: 'su_1', linkCode: 'lc_1' } as const
    await post({ ...login, state })
    wallet.destroy()
    saving.resolve()
    await runCallbacks()
    assert.equal(calls, 1)
  })

  it('reports nothing when a call fails afterwards', async () => {
    const clearing = createDeferred<WalletChallenge>()
    const { wallet, post, errors } = await mountOnPage({ clearLink: () => clearing.promise })
    await post(LOG_OUT)
    wallet.destroy()
    clearing.reject(new Error('offline'))
    await runCallbacks()
    assert.deepEqual(errors, [])
  })
})

describe('two top-up windows', () => {
  async function openTwice() {
    const sessions = holdSessions()
    const mounted = await mountOnPage({ fetchSession: sessions.fetchSession })
    await sessions.give(0, sessionNamed('ws_1'))
    mounted.wallet.openTopup()
    mounted.wallet.reload()
    mounted.wallet.openTopup()
    await runCallbacks()
    return { ...mounted, ...sessions }
  }

  it('the session of the first is not used in the second', async () => {
    const { opened, give } = await openTwice()
    await give(1, sessionNamed('ws_old'))
    assert.deepEqual([opened.length, opened[1]?.address], [2, ''])
    await give(3, sessionNamed('ws_new'))
    assert.match(opened[1]?.address ?? '', /session=ws_new$/)
  })

  it('a failure of the first does not close the second', async () => {
    const { opened, fail, errors } = await openTwice()
    await fail(1)
    assert.deepEqual([opened[1]?.closed, errors], [false, []])
  })
})
