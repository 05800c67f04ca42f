import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { runPending } from '../../test/run-hook.ts'
import { scriptService, type ServiceResponse } from '../../test/script-responses.ts'
import { watchWallet, type WalletView, type WalletWatch } from './watch-wallet.ts'

const WALLET: ServiceResponse = { status: 200, body: { balance: 10 } }
const RICHER: ServiceResponse = { status: 200, body: { balance: 20 } }

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const browser = new EventTarget()
let watches: WalletWatch[] = []

beforeEach(() => {
  page.visibilityState = 'visible'
  Object.assign(globalThis, { document: page, window: browser })
  mock.timers.enable({ apis: ['setTimeout'] })
})
afterEach(() => {
  for (const { stop } of watches) stop()
  watches = []
  mock.timers.reset()
  mock.restoreAll()
})

async function watch(...responses: ServiceResponse[]) {
  const views: WalletView[] = []
  const requests = scriptService(...responses)
  const watching = watchWallet('ws_1', (view) => views.push(view))
  watches.push(watching)
  await runPending()
  return {
    ...watching,
    views,
    requests,
    last: () => views.at(-1),
    pass: async (ms: number) => {
      mock.timers.tick(ms)
      await runPending()
    },
    emit: async (type: 'visibilitychange' | 'focus' | 'online' | 'offline') => {
      const target = type === 'visibilitychange' ? page : browser
      target.dispatchEvent(new Event(type))
      await runPending()
    },
  }
}

describe('a watched wallet', () => {
  it('is read at once and every five seconds', async () => {
    const { views, requests, ...watching } = await watch(WALLET, RICHER)
    assert.deepEqual(views, [{ wallet: { balance: 10 }, problem: null }])
    await watching.pass(4_999)
    assert.equal(requests.length, 1)
    await watching.pass(1)
    assert.deepEqual(watching.last(), { wallet: { balance: 20 }, problem: null })
    assert.equal(requests[0]?.url, '/api/widget/wallet?session=ws_1')
  })

  it('is not read while the page is hidden, but as soon as it is visible', async () => {
    const { requests, ...watching } = await watch(WALLET)
    page.visibilityState = 'hidden'
    await watching.emit('visibilitychange')
    await watching.pass(600_000)
    assert.equal(requests.length, 1)
    page.visibilityState = 'visible'
    await watching.emit('visibilitychange')
    assert.equal(requests.length, 2)
    await watching.pass(5_000)
    assert.equal(requests.length, 3)
  })

  it('is not read again if the page was hidden during the first read', async () => {
    page.visibilityState = 'hidden'
    const { requests, pass } = await watch(WALLET)
    await pass(600_000)
    assert.equal(requests.length, 1)
  })

  it('is read five seconds after the user requested it', async () => {
    const { requests, pass, readNow } = await watch(WALLET)
    await pass(3_000)
    await readNow()
    await pass(4_999)
    assert.equal(requests.length, 2)
    await pass(1)
    assert.equal(requests.length, 3)
  })

  it('is read when the window gets the focus or the network, with one timer', async () => {
    const { requests, ...watching } = await watch(WALLET)
    await watching.emit('focus')
    await watching.emit('online')
    assert.equal(requests.length, 3)
    await watching.pass(5_000)
    assert.equal(requests.length, 4)
  })

  it('is never read twice at the same time', async () => {
    const { requests, readNow } = await watch(WALLET)
    await Promise.all([readNow(), readNow(), readNow()])
    assert.equal(requests.length, 2)
  })

  it('is not read or shown after watching has stopped', async () => {
    const { requests, views, ...watching } = await watch(WALLET)
    const reading = watching.readNow()
    watching.stop()
    await reading
    await watching.readNow()
    await watching.emit('focus')
    await watching.emit('offline')
    await watching.pass(600_000)
    assert.deepEqual([requests.length, views.length], [2, 1])
  })
})

describe('a wallet that cannot be read', () => {
  it('is read at growing intervals, at least once a minute, and shows the last balance', async () => {
    const { requests, ...watching } = await watch(WALLET, 'offline')
    for (const delayMs of [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
      const { length } = requests
      await watching.pass(delayMs - 1)
      assert.equal(requests.length, length, `${delayMs}`)
      await watching.pass(1)
      assert.equal(requests.length, length + 1, `${delayMs}`)
    }
    assert.deepEqual(watching.last(), { wallet: { balance: 10 }, problem: 'offline' })
  })

  it('is read at the usual interval again after a success', async () => {
    const { requests, ...watching } = await watch('offline', 'offline', 'offline', WALLET)
    for (const delayMs of [5_000, 10_000, 20_000]) await watching.pass(delayMs)
    assert.deepEqual(watching.last(), { wallet: { balance: 10 }, problem: null })
    await watching.pass(5_000)
    assert.equal(requests.length, 5)
  })

  it('waits as long as the service requires, and at least the usual interval', async () => {
    for (const [header, delayMs] of [
      ['30', 30_000],
      ['1', 5_000],
    ] as const) {
      const headers = { 'retry-after': header }
      const { requests, ...watching } = await watch(WALLET, { status: 429, headers })
      await watching.pass(5_000)
      assert.deepEqual(watching.last(), { wallet: { balance: 10 }, problem: 'busy' })
      await watching.pass(delayMs - 1)
      assert.equal(requests.length, 2)
      await watching.pass(1)
      assert.equal(requests.length, 3)
      watching.stop()
    }
  })

  it('has no balance before the first success', async () => {
    const watching = await watch('offline')
    assert.deepEqual(watching.last(), { wallet: null, problem: 'offline' })
  })

  it('keeps the balance after other errors', async () => {
    const watching = await watch(WALLET, { status: 503 })
    await watching.pass(5_000)
    assert.deepEqual(watching.last(), { wallet: { balance: 10 }, problem: 'failed' })
  })

  it('hides the balance and stops when the session has ended', async () => {
    const { requests, ...watching } = await watch(WALLET, { status: 401 })
    await watching.pass(5_000)
    assert.deepEqual(watching.last(), { wallet: null, problem: 'ended' })
    await watching.emit('focus')
    await watching.emit('offline')
    await watching.pass(600_000)
    assert.equal(requests.length, 2)
    assert.deepEqual(watching.last(), { wallet: null, problem: 'ended' })
  })

  it('reports immediately that the network is down', async () => {
    const { requests, ...watching } = await watch(WALLET)
    await watching.emit('offline')
    assert.deepEqual(watching.last(), { wallet: { balance: 10 }, problem: 'offline' })
    assert.equal(requests.length, 1)
  })
})
