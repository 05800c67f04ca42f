import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runHook, runPending } from '../../test/run-hook.ts'
import type { Result } from '../../ui/request.ts'
import { useList, useRead, type Listed } from './use-read.ts'

/** Responses that the test gives in the order that it chooses. */
function holdResponses<Output>() {
  const responses: ((result: Result<Output>) => void)[] = []
  return {
    count: () => responses.length,
    read: () => new Promise<Result<Output>>((resolve) => responses.push(resolve)),
    give: async (at: number, result: Result<Output>) => {
      responses[at]?.(result)
      await runPending()
    },
  }
}

const OFFLINE = { ok: false, offline: true } as const
const ok = <Output>(data: Output) => ({ ok: true, data }) as const
const page = (rows: string[], nextCursor: string | null = null) => ok({ rows, nextCursor })

describe('a list', () => {
  async function setup() {
    const held = holdResponses<Listed<string>>()
    const cursors: (string | undefined)[] = []
    const use = ({ filter }: { filter: string }) =>
      useList<string>(filter, (cursor) => {
        cursors.push(cursor)
        return held.read()
      })
    const hook = runHook(use, { filter: 'old' })
    await hook.start()
    return { ...held, ...hook, cursors }
  }

  it('drops the response to an outdated filter that arrives late', async () => {
    const { rerender, give, view } = await setup()
    await rerender({ filter: 'new' })
    await give(1, page(['new']))
    await give(0, page(['old'], 'more'))
    assert.deepEqual(view().view, { rows: ['new'], cursor: null, status: 'ready' })
  })

  it('keeps reading if the response to an outdated filter arrives first', async () => {
    const { rerender, give, view } = await setup()
    await rerender({ filter: 'new' })
    await give(0, OFFLINE)
    assert.deepEqual(view().view, { rows: null, cursor: null, status: 'reading' })
    await give(1, page(['new']))
    assert.deepEqual(view().view.rows, ['new'])
  })

  it('adds the next page, returns its first row, and keeps its rows if that fails', async () => {
    const { give, view, cursors } = await setup()
    await give(0, page(['a', 'b'], 'after-b'))
    const failed = view().readMore()
    await give(1, OFFLINE)
    assert.equal(await failed, undefined)
    assert.deepEqual(view().view, { rows: ['a', 'b'], cursor: 'after-b', status: 'failed' })
    const more = view().readMore()
    await give(2, page(['c']))
    assert.equal(await more, 'c')
    assert.deepEqual(view().view, { rows: ['a', 'b', 'c'], cursor: null, status: 'ready' })
    assert.deepEqual(cursors, [undefined, 'after-b', 'after-b'])
  })
})

describe('an object', () => {
  it('drops the response to an outdated request, and keeps the last one if reading again fails', async () => {
    const { read, give, count } = holdResponses<string>()
    const hook = runHook(({ id }: { id: string }) => useRead<string>(id, read), { id: '1' })
    await hook.start()
    await hook.rerender({ id: '2' })
    await give(1, ok('second'))
    await give(0, ok('first'))
    assert.equal(hook.view().response, 'second')
    void hook.view().reload()
    await give(2, OFFLINE)
    assert.equal(count(), 3)
    assert.deepEqual([hook.view().response, hook.view().refusal], ['second', OFFLINE])
  })
})
