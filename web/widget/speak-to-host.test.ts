import assert from 'node:assert/strict'
import { it } from 'node:test'

/** A message without an exact target would reach any page that is now open in the opener's window. */
it('the widget sends messages to exact origins only', async () => {
  const targets: string[] = []
  const opener = { postMessage: (_message: unknown, target: string) => targets.push(target) }
  const window = { opener, parent: undefined as unknown }
  window.parent = window
  Object.assign(globalThis, { window })
  const { createHost } = await import('./host.ts')
  const post = createHost(['https://shop.example', '*', '/', 'null', 'https://m.shop.example:8443'])
  post({ type: 'SERVICE_WALLET_LOADED' })
  assert.deepEqual(targets, ['https://shop.example', 'https://m.shop.example:8443'])
})
