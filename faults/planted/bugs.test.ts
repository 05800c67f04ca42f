import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../../scripts/copy-checkout.ts'
import { LEDGER_FAULTS } from '../inject/ledger-faults.ts'
import { PROCESSOR_FAULTS } from '../inject/processor-faults.ts'
import { changeSource, type SourceChange } from '../setup/change-source.ts'
import { FAILPOINTS } from '../setup/failpoints.ts'
import { BUGS } from './bugs.ts'

const TABLES = join(ROOT, 'server/test/tables')
const KINDS = [...Object.keys(LEDGER_FAULTS), ...Object.keys(PROCESSOR_FAULTS)]

function assertChanges(change: SourceChange) {
  const source = readFileSync(join(ROOT, change.file), 'utf8')
  assert.notEqual(changeSource(source, change), source)
}

describe('planted bugs', () => {
  for (const bug of BUGS) {
    it(`${bug.file}, ${bug.name}: matches the source that it changes`, () => {
      assertChanges(bug)
      const { caughtBy } = bug
      if (typeof caughtBy === 'string') return
      if ('faults' in caughtBy) {
        assert(KINDS.some((kind) => kind.includes(caughtBy.faults)))
        return
      }
      const { test, title } = caughtBy
      assert(existsSync(join(ROOT, test)), test)
      assert(hasTitle(test, title), `${test} should have the test: ${title}`)
    })
  }

  it('have different names', () => {
    assert.equal(new Set(BUGS.map(({ name }) => name)).size, BUGS.length)
  })
})

describe('models/fresh-bugs.json', () => {
  it('matches the sources that it changes', () => {
    const path = join(ROOT, 'models/fresh-bugs.json')
    for (const bug of JSON.parse(readFileSync(path, 'utf8')) as SourceChange[]) assertChanges(bug)
  })
})

describe('failpoints', () => {
  it('match the source that they change', () => assertChanges(FAILPOINTS))
})

/** In the file itself or in a table of titles. A computed title is recognized by its beginning. */
function hasTitle(test: string, title: string): boolean {
  const tables = readdirSync(TABLES).map((file) => join(TABLES, file))
  return [join(ROOT, test), ...tables].some((file) => {
    const source = readFileSync(file, 'utf8')
    return source.includes(title) || (source.includes('${') && source.includes(title.slice(0, 10)))
  })
}
