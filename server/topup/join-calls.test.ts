import assert from 'node:assert/strict'
import { it } from 'node:test'
import { joinCalls } from './join-calls.ts'

/** Calls that the test ends, in the order in which they started. */
function createCalls() {
  const started: { key: string; end: PromiseWithResolvers<string> }[] = []
  const join = joinCalls(
    (key: string) => key,
    (key) => {
      const end = Promise.withResolvers<string>()
      started.push({ key, end })
      return end.promise
    },
  )
  return { started, join }
}

it('shares the next call between all that arrive during one, and never the one in progress', async () => {
  const { started, join } = createCalls()
  const first = join('a')
  const later = [join('a'), join('a'), join('a')]
  assert.equal(started.length, 1)
  started[0]?.end.resolve('unpaid')
  assert.equal(await first, 'unpaid')
  await new Promise(setImmediate)
  assert.equal(started.length, 2)
  started[1]?.end.resolve('paid')
  assert.deepEqual(await Promise.all(later), ['paid', 'paid', 'paid'])
})

it('starts the next call after one that failed, and forgets finished calls', async () => {
  const { started, join } = createCalls()
  const [first, second] = [join('a'), join('a')]
  started[0]?.end.reject(new Error('no response'))
  await assert.rejects(first, /no response/)
  await new Promise(setImmediate)
  started[1]?.end.resolve('paid')
  assert.equal(await second, 'paid')
  const third = join('a')
  assert.equal(started.length, 3)
  started[2]?.end.resolve('again')
  assert.equal(await third, 'again')
})

it('does not make calls with other keys wait', () => {
  const { started, join } = createCalls()
  void join('a')
  void join('b')
  assert.deepEqual(
    started.map(({ key }) => key),
    ['a', 'b'],
  )
})
