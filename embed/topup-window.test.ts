import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { TEXTS } from './texts-en.ts'
import {
  mountOnPage,
  SERVICE,
  sessionNamed,
  runCallbacks,
  UNLINKED,
  type Sent,
} from './test/fake-page.ts'

const OPEN: Sent = { type: 'SERVICE_OPEN_TOPUP' }
const UPDATED: Sent = { type: 'SERVICE_WALLET_UPDATED' }
const LOADED: Sent = { type: 'SERVICE_WALLET_LOADED' }

afterEach(() => mock.timers.reset())

describe('the top-up window', () => {
  it('opens immediately and gets its own session', async () => {
    const { wallet, opened, openings } = await mountOnPage()
    wallet.openTopup()
    await runCallbacks()
    const [window] = opened
    assert.deepEqual(openings, [['', '_blank', 'popup,width=440,height=760']])
    assert.equal(window?.focused, 1)
    assert.equal(opened.length, 1)
    assert.equal(window?.document.title, TEXTS.topupLoading)
    assert.equal(window?.document.body.textContent, TEXTS.topupLoading)
    assert.equal(window?.address, `${SERVICE}/widget/topup?clientId=app_1&session=ws_2`)
  })

  it('gets the amount that the app suggests', async () => {
    const { wallet, opened } = await mountOnPage()
    wallet.openTopup({ amount: '39.00' })
    await runCallbacks()
    const query = 'clientId=app_1&session=ws_2&amount=39.00'
    assert.equal(opened[0]?.address, `${SERVICE}/widget/topup?${query}`)
  })

  it('is opened once: a second request brings it to the front', async () => {
    const { post, opened, sessions } = await mountOnPage()
    await post(OPEN)
    const focused = opened[0]?.focused ?? 0
    await post(OPEN)
    assert.deepEqual([opened.length, sessions()], [1, 2])
    assert.equal(opened[0]?.focused, focused + 1)
  })

  it('is loaded again after the payment, and opened again after it was closed', async () => {
    const { post, opened, sessions, events } = await mountOnPage()
    await post(OPEN)
    await post(UPDATED, { source: opened[0] })
    assert.deepEqual(events, [OPEN.type, UPDATED.type])
    await post(OPEN)
    assert.deepEqual([opened.length, sessions()], [1, 3])
    assert.match(opened[0]?.address ?? '', /session=ws_3$/)
    // The second top-up in the same window is not interrupted either.
    await post(OPEN)
    assert.deepEqual([opened.length, sessions()], [1, 3])
    opened[0]?.close()
    await post(OPEN)
    assert.equal(opened.length, 2)
    assert.match(opened[1]?.address ?? '', /session=ws_4$/)
  })

  it('triggers no default action on the page', async () => {
    const { post, opened, sessions } = await mountOnPage()
    await post(OPEN)
    const ended: Sent = { type: 'SERVICE_AUTH_REQUIRED', reason: 'session_expired' }
    await post({ type: 'SERVICE_LOGOUT_REQUEST' }, { source: opened[0] })
    await post(ended, { source: opened[0] })
    await post(OPEN, { source: opened[0] })
    assert.deepEqual([sessions(), opened.length], [2, 1])
  })

  it('can be opened from the page if the browser blocks it', async () => {
    const { post, notices, blockWindows, opened, press } = await mountOnPage()
    blockWindows()
    await post(OPEN)
    assert.equal(notices()[0]?.text, TEXTS.topupBlocked)
    await press(TEXTS.openTopup)
    assert.equal(notices()[0]?.text, TEXTS.topupBlocked)
    assert.equal(opened.length, 0)
  })

  it('is closed when no session can be fetched', async () => {
    let calls = 0
    const { post, opened, notices, errors, press } = await mountOnPage({
      fetchSession: async () => {
        calls += 1
        if (calls === 2) throw new Error('offline')
        return sessionNamed(`ws_${calls}`)
      },
    })
    await post(OPEN)
    assert.equal(opened[0]?.closed, true)
    assert.equal(notices()[0]?.text, TEXTS.topupFailed)
    assert.deepEqual(errors, [['fetchSession', 'offline']])
    await press(TEXTS.retry)
    assert.match(opened[1]?.address ?? '', /session=ws_3$/)
    assert.equal(notices().length, 0)
  })

  it('shows the login on the page if the link has ended', async () => {
    let calls = 0
    const { post, opened, addresses } = await mountOnPage({
      fetchSession: async () => (++calls === 1 ? sessionNamed('ws_1') : UNLINKED),
    })
    await post(OPEN)
    assert.equal(opened[0]?.closed, true)
    assert.match(addresses()[0] ?? '', /state=/)
  })

  it('is not opened while the page shows the login', async () => {
    const { wallet, post, opened, focused, frames } = await mountOnPage({
      fetchSession: async () => UNLINKED,
    })
    await post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' })
    wallet.openTopup()
    await runCallbacks()
    assert.deepEqual(opened, [])
    assert.equal(focused(), frames()[0])
  })

  it('of the previous user stays open, and its messages are ignored', async () => {
    const { wallet, post, opened, events } = await mountOnPage()
    await post(OPEN)
    wallet.reload()
    await runCallbacks()
    await post(UPDATED, { source: opened[0] })
    assert.deepEqual([opened[0]?.closed, events], [false, [OPEN.type]])
    await post(LOADED)
    await post(OPEN)
    assert.equal(opened.length, 2)
  })

  it('is closed if the wallet is removed before it has a page', async () => {
    const waiting: (() => void)[] = []
    let calls = 0
    const { wallet, post, opened, errors } = await mountOnPage({
      fetchSession: () => {
        calls += 1
        const session = sessionNamed(`ws_${calls}`)
        if (calls === 1) return Promise.resolve(session)
        return new Promise((resolve) => {
          waiting.push(() => resolve(session))
        })
      },
    })
    await post(OPEN)
    wallet.destroy()
    assert.equal(opened[0]?.closed, true)
    waiting[0]?.()
    await runCallbacks()
    assert.deepEqual([opened[0]?.address, errors], ['', []])
    wallet.openTopup()
    await runCallbacks()
    assert.equal(opened.length, 1)
  })
})
