/** The request and the response in the guide are those of the service. */
import { batch } from '@coffer/contract/server/batch'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { readBlocks } from '../../scripts/read-blocks.ts'
import { call, openSetup, type Fields, type Setup } from '../test/setup.ts'

const guide = readFileSync(new URL('../../docs/integration.md', import.meta.url), 'utf8')
const blocks = readBlocks(guide)
const textOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.text ?? ''

/** Texts that the guide shortens with an ellipsis may have any content. */
function hide(result: Fields, shown: Fields): Fields {
  const isShort = (name: string) => String(shown[name]).includes('…')
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, isShort(name) ? shown[name] : value]),
  )
}

describe('the batch in the guide', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  it('gets the response that the guide shows', async () => {
    const [head = '', body = ''] = textOf('http').split('\n\n')
    assert(head.startsWith(`${batch.method} ${batch.path}\n`))
    const { operations } = JSON.parse(body) as { operations: Fields[] }
    const shown = (JSON.parse(textOf('json')) as { results: Fields[] }).results
    const [first, second] = operations
    const mine = { ...first, serviceUserId: setup.user.serviceUserId }
    const response = await call(setup, batch, { operations: [mine, second] })
    const { results } = response.json<{ results: Fields[] }>()
    assert.deepEqual(
      results.map((result, index) => hide(result, shown[index] ?? {})),
      shown,
    )
  })
})
