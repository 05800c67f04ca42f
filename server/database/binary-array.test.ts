import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { byteaArray, int8Array, textArray, uuidArray } from './binary-array.ts'

describe('an array in the binary format', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  async function read(parameter: Buffer, type: string): Promise<unknown[]> {
    const { rows } = await harness.admin.query(
      `select element from unnest($1::${type}[]) with ordinality as x(element, place) order by place`,
      [parameter],
    )
    return rows.map(({ element }) => element)
  }

  it('contains every text whole: outside ASCII, empty, null', async () => {
    const texts = ['€'.repeat(500), '', null, '\u{1f600}'.repeat(100), 'plain', '\'{},\\"\n']
    assert.deepEqual(await read(textArray(texts), 'text'), texts)
  })

  it('contains every number, the largest, the smallest and null', async () => {
    const numbers = [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), null]
    const expected = numbers.map((each) => each?.toString() ?? null)
    assert.deepEqual(await read(int8Array(numbers), 'bigint'), expected)
  })

  it('contains every digest and every hash', async () => {
    const bytes = [Buffer.from([0, 255, 10]), Buffer.alloc(0)]
    assert.deepEqual(await read(byteaArray(bytes), 'bytea'), bytes)
    const digest = '00112233445566778899aabbccddeeff'
    const uuids = (await read(uuidArray([digest, 'f'.repeat(32)]), 'uuid')) as string[]
    assert.deepEqual(
      uuids.map((each) => each.replaceAll('-', '')),
      [digest, 'f'.repeat(32)],
    )
  })

  it('can be empty', async () => {
    assert.deepEqual(await read(textArray([]), 'text'), [])
    assert.deepEqual(await read(int8Array([]), 'bigint'), [])
  })
})
