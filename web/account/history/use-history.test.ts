import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runHook, runPending } from '../../test/run-hook.ts'
import type { Call, Entry, HistoryFilter } from '../calls.ts'
import { useHistory } from './use-history.ts'

const entry = (id: string) => ({ id }) as Entry

describe('the history', () => {
  it('reads the next page with the same filter and shows it below the first', async () => {
    const asked: HistoryFilter[] = []
    const call = (async (_endpoint: string, filter: HistoryFilter) => {
      asked.push(filter)
      const isFirst = asked.length === 1
      const data = { transactions: [entry(isFirst ? 'a' : 'b')], nextCursor: isFirst ? 'c1' : null }
      return { ok: true, data }
    }) as unknown as Call
    const filter = { search: 'tea', type: 'debit' } as HistoryFilter
    const { start, view } = runHook((props) => useHistory(call, props.filter), {
      filter,
    })
    await start()
    assert.deepEqual(await view().readMore(), entry('b'))
    assert.deepEqual(asked, [
      { ...filter, cursor: undefined },
      { ...filter, cursor: 'c1' },
    ])
  })

  it('keeps what it shows if the next page cannot be read, and reads it again', async () => {
    let isDown = false
    const call = (async (_endpoint: string, { cursor }: HistoryFilter & { cursor?: string }) => {
      if (isDown) return { ok: false }
      const isFirst = cursor === undefined
      const data = { transactions: [entry(isFirst ? 'a' : 'b')], nextCursor: isFirst ? 'c1' : null }
      return { ok: true, data }
    }) as unknown as Call
    const { start, view } = runHook((props) => useHistory(call, props.filter), {
      filter: {},
    })
    await start()
    isDown = true
    assert.equal(await view().readMore(), undefined)
    await runPending()
    assert.equal(view().view.status, 'failed')
    assert.deepEqual(view().view.entries, [entry('a')])
    isDown = false
    assert.deepEqual(await view().readMore(), entry('b'))
    await runPending()
    assert.deepEqual(view().view.entries, [entry('a'), entry('b')])
  })
})
