import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { mountOnPage, type Sent } from './test/fake-page.ts'

const resized = (height: unknown) => ({ type: 'SERVICE_RESIZED', height }) as Sent
const LOADED: Sent = { type: 'SERVICE_WALLET_LOADED' }
const RENEWAL_MS = 270_100

afterEach(() => mock.timers.reset())

describe('the height of the wallet', () => {
  it('follows the content of the shown frame, within limits', async () => {
    const { post, frames } = await mountOnPage()
    await post(LOADED)
    const height = () => frames()[0]?.parent?.style['height']
    assert.equal(height(), '680px')
    for (const [reported, shown] of [
      [512.2, '513px'],
      [90, '320px'],
      [90_000, '4000px'],
    ] as const) {
      await post(resized(reported))
      assert.equal(height(), shown)
    }
    for (const wrong of ['512px', Number.NaN, Infinity, null, undefined, {}]) {
      await post(resized(wrong))
      assert.equal(height(), '4000px')
    }
  })

  it('shows the first frame, and no frame that waits behind another', async () => {
    const { post, pass, frames } = await mountOnPage()
    const [first] = frames()
    await post(resized(500))
    assert.deepEqual([first?.style['visibility'], first?.parent?.style['height']], ['', '500px'])
    await post(LOADED)
    await pass(RENEWAL_MS)
    const [next] = frames()
    await post(resized(600), { source: next?.contentWindow })
    assert.equal(next?.style['visibility'], undefined)
    assert.equal(first?.parent?.style['height'], '500px')
    await post(LOADED, { source: next?.contentWindow })
    assert.deepEqual([next?.style['visibility'], next?.parent?.style['height']], ['', '600px'])
  })

  it('stays as the app has set it', async () => {
    const fixed = await mountOnPage({ height: '30rem' })
    await fixed.post(LOADED)
    await fixed.post(resized(500))
    assert.equal(fixed.frames()[0]?.parent?.style['height'], '30rem')
  })

  it('stays if the app prevents the default action', async () => {
    const kept = await mountOnPage({ onEvent: (event) => event.preventDefault() })
    await kept.post(LOADED)
    await kept.post(resized(500))
    assert.equal(kept.frames()[0]?.parent?.style['height'], '680px')
  })
})
