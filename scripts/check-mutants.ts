/** Fails if more than 10 % of the mutants of a file survive the tests. Run it after StrykerJS, which checks the total only. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Report {
  files: Record<string, { mutants: { status: string }[] }>
}

const SCORE_MIN = 90
const KILLED = ['Killed', 'Timeout']
const COUNTED = [...KILLED, 'Survived', 'NoCoverage']

const file = join(import.meta.dirname, '../reports/mutants.json')
const { files } = JSON.parse(readFileSync(file, 'utf8')) as Report
for (const [name, { mutants }] of Object.entries(files)) {
  const counted = mutants.filter(({ status }) => COUNTED.includes(status))
  const killed = counted.filter(({ status }) => KILLED.includes(status))
  const score = (100 * killed.length) / counted.length
  if (score >= SCORE_MIN || counted.length === 0) continue
  console.log(
    `${name}: ${score.toFixed(1)} % of the mutants are found; ${SCORE_MIN} % are required`,
  )
  process.exitCode = 1
}
