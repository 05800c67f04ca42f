/**
 * Tests the parsers with generated inputs, guided by the coverage of our own source.
 *
 *   npm run fuzz                              every target, a minute each
 *   npm run fuzz -- --seconds 10              shorter
 *   npm run fuzz -- --only TEXT               only targets whose name contains the text
 *   npm run fuzz -- --seed 7                  the same inputs as in an earlier run
 *   npm run fuzz -- --only csv --input BASE64 runs one input again
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzzTarget } from './fuzz/fuzz-target.ts'
import { TARGETS } from './fuzz/targets.ts'

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      only: { type: 'string', default: '' },
      input: { type: 'string' },
    },
  })
  const targets = TARGETS.filter(({ name }) => name.includes(values.only))
  if (targets.length === 0) {
    throw new Error(`--only matches none of: ${TARGETS.map(({ name }) => name).join(', ')}.`)
  }
  if (values.input !== undefined) {
    for (const { run } of targets) run(Buffer.from(values.input, 'base64'))
    return print('No violation.')
  }
  print(`Seed ${values.seed}`)
  for (const target of targets) {
    const options = { seconds: Number(values.seconds), seed: Number(values.seed) }
    const { name, runs, seconds, corpus, places, failure } = fuzzTarget(target, options)
    print(
      `${name}: ${runs} inputs in ${seconds.toFixed(0)} s, ${corpus} kept, ${places} places reached`,
    )
    if (failure === undefined) continue
    print(`FAILED: npm run fuzz -- --only '${name}' --input ${failure.input}\n${failure.reason}`)
    process.exitCode = 1
  }
}

main()
