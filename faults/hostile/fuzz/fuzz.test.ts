import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fuzzTarget, type FuzzTarget } from './fuzz-target.ts'
import { TARGETS } from './targets.ts'

const SEED = 20_261_115
/** A limit for a busy machine; the number of runs ends it much earlier. */
const SECONDS = 300
const LARGE_BYTES = 65_536
/** About ten times what the slowest of them takes, and less than a step for each pair of bytes. */
const LINEAR_MAX_US = 1_000_000

describe('parsers with inputs guided by coverage', () => {
  for (const target of TARGETS) {
    it(`${target.name} never violate their contract`, () => {
      const fuzzed = fuzzTarget(target, { seconds: SECONDS, seed: SEED, runsMax: 2_000 })
      assert.equal(fuzzed.failure, undefined)
      assert(fuzzed.runs >= 2_000, `${fuzzed.runs} inputs were tried`)
      assert(fuzzed.places > 0, 'no source was executed')
    })

    it(`${target.name} are read in linear time`, () => {
      for (const token of target.dictionary) {
        const input = Buffer.from(token.repeat(LARGE_BYTES / token.length))
        const startedAt = process.cpuUsage()
        target.run(input)
        const { user, system } = process.cpuUsage(startedAt)
        assert(user + system < LINEAR_MAX_US, `${(user + system) / 1000} ms for ${token}…`)
      }
    })
  }

  it('finds an error behind several conditions that random inputs hardly ever meet together', () => {
    const stairs: FuzzTarget = {
      name: 'stairs',
      seeds: ['----'],
      dictionary: ['-'],
      sources: /fuzz\.test\.ts$/,
      run: climb,
    }
    const led = fuzzTarget(stairs, { seconds: SECONDS, seed: SEED, runsMax: 1_000_000 })
    assert.match(led.failure?.reason ?? '', /the top/)
    const blind = fuzzTarget({ ...stairs, sources: /nothing/ }, { seconds: 1, seed: SEED })
    assert.equal(blind.failure, undefined)
  })
})

/** Each step is one value of a byte. */
function climb(input: Buffer) {
  if (input[0] !== 0xc0) return
  if (input[1] !== 0xff) return
  if (input[2] === 0xe5) throw new Error('the top')
}
