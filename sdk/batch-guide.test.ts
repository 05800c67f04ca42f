/** The batch in docs/integration.md does what the guide says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { readBlocks } from '../scripts/read-blocks.ts'
import { openSdkSetup, type SdkSetup } from './test/sdk-setup.ts'

const guide = readBlocks(
  readFileSync(new URL('../docs/integration.md', import.meta.url), 'utf8'),
).filter(({ marks }) => marks['test']?.endsWith('batch-guide.test.ts'))
const textOf = (wanted: string) => guide.find(({ language }) => language === wanted)?.text ?? ''

type Code = (...values: unknown[]) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Code

describe('the batch in docs/integration.md', () => {
  let setup: SdkSetup
  before(async () => {
    setup = await openSdkSetup()
  })
  after(() => setup.end())

  it('prints what became of each operation, and sends the request that the guide shows', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const printed: string[] = []
    const console = { log: (line: string) => printed.push(line) }
    const run = new AsyncFunction('coffer', 'serviceUserId', 'other', 'console', textOf('js'))
    const other = 'su_unknown'
    await run(coffer, serviceUserId, other, console)
    assert.deepEqual(
      printed.map((line) => line.replace(/txn_\w+/, 'txn_…')),
      ['a1: done, txn_…', 'b7: refused, USER_NOT_FOUND'],
    )
    const [request] = setup.proxy.seen
    const shown = JSON.parse(textOf('http').split('\n\n')[1] ?? '') as { operations: object[] }
    const ids = [serviceUserId, other]
    const operations = shown.operations.map((each, index) => ({
      ...each,
      serviceUserId: ids[index],
    }))
    assert.deepEqual(JSON.parse(request?.body ?? ''), { operations })
  })
})
