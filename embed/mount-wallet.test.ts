import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { mountWallet } from './mount-wallet.ts'
import { TEXTS } from './texts-en.ts'
import {
  mountOnPage,
  SERVICE,
  sessionNamed,
  runCallbacks,
  showPage,
  UNLINKED,
  type Sent,
} from './test/fake-page.ts'

const LOADED: Sent = { type: 'SERVICE_WALLET_LOADED' }
const LOG_OUT: Sent = { type: 'SERVICE_LOGOUT_REQUEST' }
const NO_SESSION: Sent = { type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' }

/** The state in the URL of a frame that shows the login. */
function stateIn(address = ''): string {
  return new URL(address).searchParams.get('state') ?? ''
}

function logIn(state: string | undefined, linkCode = 'lc_1'): Sent {
  const event = { type: 'SERVICE_AUTH_SUCCESS', serviceUserId: 'su_1', linkCode } as const
  return state === undefined ? event : { ...event, state }
}

afterEach(() => mock.timers.reset())

describe('mountWallet', () => {
  const options = {
    serviceUrl: SERVICE,
    clientId: 'app_1',
    fetchSession: async () => sessionNamed('ws_1'),
    saveLink: async () => undefined,
    clearLink: async () => UNLINKED,
  }

  it('needs an element', () => {
    showPage()
    for (const target of [null, undefined, '#wallet']) {
      assert.throws(() => mountWallet(target as never, options), {
        name: 'TypeError',
        message: `mountWallet needs an element; got ${target}. Does the script run before the element exists?`,
      })
    }
  })
})

describe('a message to the page', () => {
  it('is accepted from the frame and the origin of the service', async () => {
    const { post, events } = await mountOnPage()
    await post(LOADED)
    assert.deepEqual(events, ['SERVICE_WALLET_LOADED'])
  })

  it('is accepted with a service that has a path and a default port', async () => {
    const { post, events, addresses } = await mountOnPage({ serviceUrl: `${SERVICE}:443/base//` })
    await post(LOADED)
    assert.deepEqual(events, ['SERVICE_WALLET_LOADED'])
    assert.deepEqual(addresses(), [`${SERVICE}/base/widget/wallet?clientId=app_1&session=ws_1`])
  })

  it('is accepted from a wallet in another language and theme', async () => {
    const { post, events, addresses } = await mountOnPage({ locale: 'de', theme: 'dark' })
    await post(LOADED)
    assert.deepEqual(events, ['SERVICE_WALLET_LOADED'])
    const query = 'clientId=app_1&session=ws_1&locale=de&theme=dark'
    assert.deepEqual(addresses(), [`${SERVICE}/widget/wallet?${query}`])
  })

  it('is ignored from any other origin, however similar', async () => {
    const { send, events, frames } = await mountOnPage()
    const others = [
      `${SERVICE}.attacker.example`,
      `${SERVICE}:8443`,
      `${SERVICE}@attacker.example`,
      `${SERVICE}/`,
      'https://wallet.exampl',
      'https://attacker.example',
      'https://sub.wallet.example',
      'http://wallet.example',
      'HTTPS://WALLET.EXAMPLE',
      ` ${SERVICE}`,
      'null',
      '',
      '*',
      null,
    ]
    const [frame] = frames()
    for (const origin of others) {
      await send({ ...LOADED, version: 1 }, { origin, source: frame?.contentWindow })
    }
    assert.deepEqual(events, [])
  })

  it('is ignored from any other window, even of the same origin', async () => {
    const { post, events, frames } = await mountOnPage()
    for (const source of [null, undefined, {}, globalThis, frames()[0]]) {
      await post(LOADED, { source })
    }
    assert.deepEqual(events, [])
  })

  it('is ignored if it is not an event of the widget', async () => {
    const { send, events, errors } = await mountOnPage()
    for (const data of [undefined, null, 'x', 7, [], {}, { type: 'SERVICE_NEWER' }, { type: 1 }]) {
      await send(data)
    }
    assert.deepEqual([events, errors], [[], []])
  })

  it('is ignored from a removed frame', async () => {
    const { wallet, post, events, frames } = await mountOnPage()
    const source = frames()[0]?.contentWindow
    wallet.reload()
    await runCallbacks()
    await post(LOG_OUT, { source })
    assert.deepEqual(events, [])
  })

  it('is ignored after the wallet is removed', async () => {
    const { wallet, post, events, root, frames, sessions, pass, countListeners } =
      await mountOnPage()
    const source = frames()[0]?.contentWindow
    const listeners = countListeners()
    wallet.destroy()
    await post(LOADED, { source })
    await pass(3_600_000)
    assert.deepEqual([events, root.children, sessions()], [[], [], 1])
    assert.equal(countListeners(), listeners - 2)
  })

  it('has no default action when the page prevents it or removes the wallet', async () => {
    let cleared = 0
    const clearLink = async () => {
      cleared += 1
      return UNLINKED
    }
    const stopped = await mountOnPage({ clearLink, onEvent: (event) => event.preventDefault() })
    await stopped.post(LOG_OUT)
    mock.timers.reset()
    const removed = await mountOnPage({ clearLink, onEvent: () => removed.wallet.destroy() })
    await removed.post(LOG_OUT)
    assert.equal(cleared, 0)
  })

  it('shows whether its default action is prevented, and needs no callback', async () => {
    const seen: boolean[] = []
    const { post } = await mountOnPage({
      onEvent: (event) => {
        seen.push(event.defaultPrevented)
        event.preventDefault()
        seen.push(event.defaultPrevented)
      },
    })
    await post(LOADED)
    assert.deepEqual(seen, [false, true])
    mock.timers.reset()
    const silent = await mountOnPage({ onEvent: undefined })
    await silent.post(LOADED)
    assert.deepEqual(silent.errors, [])
  })

  it('keeps its default action when the callback of the page throws', async () => {
    let cleared = 0
    const { post, errors } = await mountOnPage({
      clearLink: async () => {
        cleared += 1
        return UNLINKED
      },
      onEvent: () => {
        throw new Error('a bug of the page')
      },
    })
    await post(LOG_OUT)
    assert.equal(cleared, 1)
    assert.deepEqual(errors, [['onEvent', 'a bug of the page']])
  })
})

describe('a login in the frame', () => {
  async function mountLogIn() {
    const saved: object[] = []
    let isLinked = false
    const mounted = await mountOnPage({
      fetchSession: async () => (isLinked ? sessionNamed('ws_new') : UNLINKED),
      saveLink: async (link) => {
        saved.push(link)
        isLinked = true
      },
    })
    return { ...mounted, saved, state: stateIn(mounted.addresses()[0]) }
  }

  it('saves the link and opens the wallet', async () => {
    const { post, saved, state, addresses, events } = await mountLogIn()
    assert.match(state, /^\d+-\d+-\d+-\d+$/)
    await post(NO_SESSION)
    await post(logIn(state))
    assert.deepEqual(saved, [{ linkCode: 'lc_1', serviceUserId: 'su_1' }])
    assert.deepEqual(events, ['SERVICE_AUTH_REQUIRED', 'SERVICE_AUTH_SUCCESS'])
    assert(addresses()[0]?.endsWith('/widget/wallet?clientId=app_1&session=ws_new'))
  })

  it('is accepted once, however often it is sent', async () => {
    const { post, saved, state, events } = await mountLogIn()
    await Promise.all([post(logIn(state)), post(logIn(state)), post(logIn(state, 'lc_2'))])
    assert.equal(saved.length, 1)
    assert.deepEqual(events, ['SERVICE_AUTH_SUCCESS'])
  })

  it('is rejected without the state of the frame, and the user can try again', async () => {
    for (const wrong of [undefined, '', '1-2-3-4']) {
      const { post, saved, state, addresses, errors, events, notices, press } = await mountLogIn()
      await post(logIn(wrong))
      assert.deepEqual([saved, events], [[], []])
      const text =
        'SERVICE_AUTH_SUCCESS was ignored: its state is missing or is not the state of this frame'
      assert.deepEqual(errors, [['checkState', text]])
      assert.equal(notices()[0]?.text, TEXTS.linkFailed)
      await press(TEXTS.retry)
      assert.equal(notices().length, 0)
      assert.notEqual(stateIn(addresses()[0]), state)
      mock.timers.reset()
    }
  })

  it('is rejected in a frame that shows a wallet', async () => {
    const saved: object[] = []
    const saveLink = async (link: object) => void saved.push(link)
    const { post, errors, events } = await mountOnPage({ saveLink })
    await post(LOADED)
    await post(logIn(undefined))
    assert.deepEqual([saved, events], [[], ['SERVICE_WALLET_LOADED']])
    assert.equal(errors[0]?.[0], 'checkState')
  })

  it('is ignored from the top-up window', async () => {
    const { wallet, post, opened, events, errors } = await mountOnPage()
    wallet.openTopup()
    await runCallbacks()
    await post(logIn(undefined), { source: opened[0] })
    assert.deepEqual([events, errors], [[], []])
  })

  it('is retried once if saving fails, then a new login is offered', async () => {
    const codes: string[] = []
    const mounted = await mountOnPage({
      fetchSession: async () => UNLINKED,
      saveLink: async ({ linkCode }) => {
        codes.push(linkCode)
        throw new Error('lost')
      },
    })
    const { post, errors, press, addresses, notices } = mounted
    const state = stateIn(addresses()[0])
    await post(logIn(state))
    assert.equal(notices()[0]?.text, TEXTS.linkFailed)
    await press(TEXTS.retry)
    assert.deepEqual(codes, ['lc_1', 'lc_1'])
    await press(TEXTS.retry)
    assert.deepEqual(codes, ['lc_1', 'lc_1'])
    assert.notEqual(stateIn(addresses()[0]), state)
    assert.deepEqual(
      errors.map(([during]) => during),
      ['saveLink', 'saveLink'],
    )
  })

  it('reports a backend that saves the link but returns no session for it', async () => {
    const { post, errors, addresses } = await mountOnPage({ fetchSession: async () => UNLINKED })
    await post(logIn(stateIn(addresses()[0])))
    assert.deepEqual(errors, [
      ['fetchSession', 'fetchSession returned no session right after saveLink'],
    ])
  })
})

describe('a logout in the frame', () => {
  it('clears the link once and shows the login', async () => {
    let cleared = 0
    const { post, addresses } = await mountOnPage({
      clearLink: async () => {
        cleared += 1
        return UNLINKED
      },
    })
    await Promise.all([post(LOG_OUT), post(LOG_OUT)])
    assert.equal(cleared, 1)
    assert.notEqual(stateIn(addresses()[0]), '')
  })

  it('can be repeated after a failure', async () => {
    let cleared = 0
    const { post, addresses, errors, notices, press } = await mountOnPage({
      clearLink: async () => {
        cleared += 1
        if (cleared === 1) throw new Error('lost')
        return UNLINKED
      },
    })
    await post(LOG_OUT)
    assert.equal(notices()[0]?.text, TEXTS.switchFailed)
    assert.deepEqual(errors, [['clearLink', 'lost']])
    assert.equal(stateIn(addresses()[0]), '')
    await press(TEXTS.retry)
    assert.equal(cleared, 2)
    assert.notEqual(stateIn(addresses()[0]), '')
  })
})
