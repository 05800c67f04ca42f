/**
 * Overload in several forms, against a service whose database can process about 500 operations per second.
 *
 *   npm run overload                     about five minutes
 *   npm run overload -- --seconds 15     duration of each scenario; default 120
 *   npm run overload -- --factor 10      this many times the capacity
 *   npm run overload -- --only TEXT      only scenarios whose name contains the text
 *   npm run overload -- --report FOLDER  also writes overload.md there
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkBooks } from './overload/check-books.ts'
import { holdConnections } from './overload/hold-connections.ts'
import { isAllMet, toMarkdown, type Section } from './overload/figures.ts'
import { guessPasswords } from './overload/guess-passwords.ts'
import { exceedCapacity } from './overload/exceed-capacity.ts'
import { withTarget, type Target } from './overload/prepare-target.ts'
import { sendOversized } from './overload/send-oversized.ts'

interface Options {
  seconds: number
  factor: number
  print: (line: string) => void
}

const SCENARIOS: Record<string, (target: Target, options: Options) => Promise<Section>> = {
  capacity: exceedCapacity,
  sockets: holdConnections,
  oversized: sendOversized,
  guesses: guessPasswords,
}

function readFlags() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '120' },
      factor: { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
      report: { type: 'string' },
    },
  })
  const names = Object.keys(SCENARIOS)
  const wanted = names.filter((name) => name.includes(values.only))
  if (wanted.length === 0) throw new Error(`--only matches none of: ${names.join(', ')}.`)
  const seconds = Number(values.seconds)
  const factor = Number(values.factor)
  if (!(seconds >= 5 && factor >= 1))
    throw new Error('--seconds must be at least 5, --factor at least 1.')
  return { wanted, seconds, factor, folder: values.report }
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

async function main() {
  const { wanted, folder, ...size } = readFlags()
  const sections = await withTarget(async (target) => {
    const done: Section[] = []
    for (const name of wanted) {
      print(`${name} …`)
      const section = await SCENARIOS[name]?.(target, { ...size, print })
      if (section) done.push(section)
    }
    await target.service.stop()
    return [...done, await checkBooks(target)]
  })
  const isMet = isAllMet(sections)
  const load = loadavg()[0] ?? 0
  const markdown = `# Overload

${isMet ? 'All goals met.' : 'Goals missed.'} ${availableParallelism()} cores; load average ${load.toFixed(1)} at the end.

${toMarkdown(sections)}`
  print(`\n${markdown}`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'overload.md'), markdown)
  }
  if (!isMet) process.exitCode = 1
}

await main()
