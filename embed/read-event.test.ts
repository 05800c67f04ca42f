import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readEvent } from './read-event.ts'
import type { WidgetEvent } from './widget-event.ts'

const TYPES: Record<WidgetEvent['type'], true> = {
  SERVICE_WALLET_UPDATED: true,
  SERVICE_WALLET_LOADED: true,
  SERVICE_OPEN_TOPUP: true,
  SERVICE_AUTH_REQUIRED: true,
  SERVICE_AUTH_SUCCESS: true,
  SERVICE_LOGOUT_REQUEST: true,
  SERVICE_RESIZED: true,
}

describe('reading a message', () => {
  it('accepts every event of the widget unchanged', () => {
    for (const type of Object.keys(TYPES)) {
      const data = { version: 1, type, reason: 'no_session', more: true }
      assert.equal(readEvent(data), data)
    }
  })

  it('ignores everything else', () => {
    const inherited = Object.create({ type: 'SERVICE_WALLET_LOADED' }) as unknown
    assert.notEqual(readEvent(inherited), undefined)
    const others = [
      undefined,
      null,
      0,
      '',
      'SERVICE_WALLET_LOADED',
      [],
      ['SERVICE_WALLET_LOADED'],
      {},
      { type: undefined },
      { type: null },
      { type: 1 },
      { type: ['SERVICE_WALLET_LOADED'] },
      { type: { toString: () => 'SERVICE_WALLET_LOADED' } },
      { type: '' },
      { type: 'service_wallet_loaded' },
      { type: 'SERVICE_WALLET_LOADED ' },
      { type: 'SERVICE_NEWER' },
      { type: 'toString' },
      { type: '__proto__' },
      { type: 'constructor' },
      () => 'SERVICE_WALLET_LOADED',
    ]
    for (const data of others) assert.equal(readEvent(data), undefined, JSON.stringify(data))
  })
})
