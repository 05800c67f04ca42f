import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '../../ui/request.ts'
import { readParts } from './read-parts.ts'

interface Page {
  rows: string[]
  nextCursor: string | null
}

const OPTIONS = {
  isEmpty: ({ rows }: Page) => rows.length === 0,
  isWanted: () => true,
  partsMax: 5,
}

/** Reads pages, each by the cursor of the page before it; the first one has none. */
async function read(pages: Record<string, Page>, options: Partial<typeof OPTIONS> = {}) {
  const cursors: (string | undefined)[] = []
  const readPage = (cursor: string | undefined): Promise<Result<Page>> => {
    cursors.push(cursor)
    const page = pages[cursor ?? 'first']
    return Promise.resolve(page ? { ok: true, data: page } : { ok: false, offline: true })
  }
  const result = await readParts(readPage, undefined, { ...OPTIONS, ...options })
  return { cursors, rows: result.ok ? result.data.rows : undefined }
}

const empty = (nextCursor: string | null): Page => ({ rows: [], nextCursor })

describe('a search that is read in parts', () => {
  it('continues after each empty part, up to the first one with a row', async () => {
    const pages = { first: empty('a'), a: empty('b'), b: { rows: ['row'], nextCursor: 'c' } }
    assert.deepEqual(await read(pages), { cursors: [undefined, 'a', 'b'], rows: ['row'] })
  })

  it('ends with the last part, with a failure, after the most parts, and when nobody waits', async () => {
    assert.deepEqual(await read({ first: empty(null) }), { cursors: [undefined], rows: [] })
    const failed = await read({ first: empty('a') })
    assert.deepEqual(failed, { cursors: [undefined, 'a'], rows: undefined })
    const endless = { first: empty('a'), a: empty('a') }
    assert.equal((await read(endless, { partsMax: 3 })).cursors.length, 3)
    assert.equal((await read(endless, { isWanted: () => false })).cursors.length, 1)
  })
})
