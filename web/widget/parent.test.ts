import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { createParentMessenger, isFromLink } from './parent.ts'

class Host {
  readonly received: { message: unknown; origin: string }[] = []

  postMessage(message: unknown, origin: string) {
    this.received.push({ message, origin })
  }
}

function openPage({ parent, opener = null }: { parent?: Host; opener?: Host | null }) {
  const window: { opener: Host | null; parent?: unknown } = { opener }
  window.parent = parent ?? window
  Object.assign(globalThis, { window })
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

describe('messages to the page', () => {
  it('send the event and its version to the page around the widget', () => {
    const [parent, opener] = [new Host(), new Host()]
    openPage({ parent, opener })
    createParentMessenger(['https://shop.example'])({
      type: 'SERVICE_AUTH_REQUIRED',
      reason: 'no_session',
    })
    assert.deepEqual(parent.received, [
      {
        message: { type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session', version: 1 },
        origin: 'https://shop.example',
      },
    ])
    assert.deepEqual(opener.received, [])
  })

  it('go to the opener if the widget is in its own window', () => {
    const opener = new Host()
    openPage({ opener })
    createParentMessenger(['https://shop.example'])({ type: 'SERVICE_WALLET_UPDATED' })
    assert.equal(opener.received.length, 1)
    openPage({})
    createParentMessenger(['https://shop.example'])({ type: 'SERVICE_WALLET_UPDATED' })
  })

  /** A message without an exact target would reach any page that is now open in the opener's window. */
  it('the widget sends messages to exact origins only', () => {
    const opener = new Host()
    openPage({ opener })
    const wrong = [
      '*',
      '/',
      'null',
      '',
      'shop.example',
      'https://shop.example/',
      'https://a.example/x',
    ]
    const right = ['https://shop.example', 'https://m.shop.example:8443']
    createParentMessenger([...wrong, ...right])({ type: 'SERVICE_WALLET_LOADED' })
    assert.deepEqual(
      opener.received.map(({ origin }) => origin),
      right,
    )
  })
})

describe('a visitor', () => {
  it('comes from a link, unless the page is in a frame or the app opened its window', () => {
    const host = new Host()
    const cases = [
      { page: { parent: host }, isFromApp: false, expected: false },
      { page: { parent: host }, isFromApp: true, expected: false },
      { page: { opener: host }, isFromApp: true, expected: false },
      { page: { opener: host }, isFromApp: false, expected: true },
      { page: {}, isFromApp: true, expected: true },
      { page: {}, isFromApp: false, expected: true },
    ]
    for (const { page, isFromApp, expected } of cases) {
      openPage(page)
      assert.equal(isFromLink({ isFromApp }), expected, JSON.stringify({ page, isFromApp }))
    }
  })
})
