import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { ServiceError } from '../service-error.ts'
import { createFairQueue, type Caller } from './queue-fairly.ts'

/** A queue whose work ends only when the test says so, and the order in which it is started. */
function openQueue(perSecond = 10_000) {
  const queue = createFairQueue(perSecond)
  const started: string[] = []
  const finishers: (() => void)[] = []
  const results: Promise<string>[] = []
  function add(name: string, caller: Caller | undefined) {
    const work = () =>
      new Promise<string>((resolve) => {
        started.push(name)
        finishers.push(() => resolve(name))
      })
    const result = queue.run(caller, work).catch((error: unknown) => {
      assert(error instanceof ServiceError && error.code === 'RATE_LIMITED')
      return `${name} refused`
    })
    results.push(result)
    return result
  }
  async function finishAll(): Promise<string[]> {
    for (let turn = 0; turn < 100; turn++) {
      finishers.shift()?.()
      await endOfTurn()
    }
    return Promise.all(results)
  }
  return { queue, add, started, finishAll }
}

const FLOOD = { network: '192.0.2.1' }
const LAPTOP = { device: 'laptop', account: 'ada' }

describe('a fair queue', () => {
  it('serves a network that has not used it before one that floods it', async () => {
    const { add, started, finishAll } = openQueue()
    for (let index = 0; index < 5; index++) void add(`flood ${index}`, FLOOD)
    void add('person', { network: '198.51.100.1' })
    await finishAll()
    assert.deepEqual(started.slice(0, 2), ['flood 0', 'person'])
  })

  it('serves known devices before everybody else, and the service itself first', async () => {
    const { add, started, finishAll } = openQueue()
    void add('first', FLOOD)
    void add('stranger', { network: '198.51.100.1' })
    void add('known', { ...FLOOD, known: LAPTOP })
    void add('own', undefined)
    await finishAll()
    assert.deepEqual(started, ['first', 'own', 'known', 'stranger'])
  })

  it('serves other sites before the networks of one /48 that floods it', async () => {
    const { add, started, finishAll } = openQueue()
    const networkOf = (index: number) => ({ network: `2001:db8:1:${index.toString(16)}::/64` })
    for (let index = 0; index < 40; index++) void add(`flood ${index}`, networkOf(index))
    const others = ['2001:db8:2:0::/64', '2001:db8:3:0::/64', '198.51.100.1']
    for (const network of others) void add(network, { network })
    const results = await finishAll()
    assert.deepEqual(results.slice(40), others)
    assert(started.filter((name) => name.startsWith('flood')).length < 20)
  })

  it('keeps the order of arrival among equals', async () => {
    const { add, started, finishAll } = openQueue()
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) void add(name, { network: name })
    await finishAll()
    assert.deepEqual(started, names)
  })

  it('refuses the flood when it is full, and nobody else', async () => {
    const { queue, add, finishAll } = openQueue()
    for (let index = 0; index < 20; index++) void add(`flood ${index}`, FLOOD)
    assert.equal(queue.hasRoom(FLOOD), false)
    const people = ['p1', 'p2', 'p3', 'p4']
    for (const name of people) {
      assert.equal(queue.hasRoom({ network: name }), true)
      void add(name, { network: name })
    }
    void add('known', { ...FLOOD, known: LAPTOP })
    const results = await finishAll()
    assert.deepEqual(results.slice(20), [...people, 'known'])
    const served = results.slice(0, 20).filter((result) => !result.endsWith('refused'))
    assert.deepEqual(served, ['flood 0', 'flood 1', 'flood 2', 'flood 3'])
  })

  it('serves a known account before strangers a few times only, however many browsers it has', async () => {
    const { add, started, finishAll } = openQueue()
    for (let index = 0; index < 8; index++) {
      void add(`browser ${index}`, { ...FLOOD, known: { device: `${index}`, account: 'mine' } })
    }
    void add('stranger', { network: '198.51.100.1' })
    await finishAll()
    const place = started.indexOf('stranger')
    assert(place >= 3 && place <= 4, started.join())
  })

  it('serves the owner like a stranger while somebody else uses up the account', async () => {
    const { add, started, finishAll } = openQueue()
    for (let index = 0; index < 8; index++) {
      void add(`other ${index}`, { ...FLOOD, known: { device: 'old', account: 'ada' } })
    }
    void add('owner', { network: '198.51.100.1', known: LAPTOP })
    const results = await finishAll()
    assert(results.includes('owner'))
    assert(started.indexOf('owner') <= 4, started.join())
  })

  it('refuses callers that only check, without counting them', () => {
    const { queue } = openQueue(0)
    assert.equal(queue.hasRoom(FLOOD), false)
  })

  it('starts no more per second than allowed, after a short burst', async () => {
    const queue = createFairQueue(20)
    let count = 0
    const startedMs = performance.now()
    const all = Array.from({ length: 9 }, (_, index) =>
      queue.run({ network: `n${index}` }, async () => void count++).catch(() => undefined),
    )
    await Promise.all(all)
    const more = Array.from({ length: 8 }, (_, index) =>
      queue.run({ network: `m${index}` }, async () => void count++),
    )
    await Promise.all(more)
    const seconds = (performance.now() - startedMs) / 1000
    assert(count <= 10 + 1 + seconds * 20, `${count} in ${seconds} s`)
    assert(seconds >= 0.3, `${count} in ${seconds} s`)
  })

  it('goes on after work that failed', async () => {
    const queue = createFairQueue(1_000)
    await assert.rejects(
      queue.run(FLOOD, () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await queue.run(FLOOD, () => Promise.resolve('yes')), 'yes')
  })
})
