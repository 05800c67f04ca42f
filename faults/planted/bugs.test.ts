import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../../scripts/copy-checkout.ts'
import { BUGS } from './bugs.ts'

const TABLES = join(ROOT, 'server/test/tables')

describe('planted bugs', () => {
  for (const { name, file, find, replace, test, title } of BUGS) {
    it(`${file}, ${name}: matches the source that it changes`, () => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      assert.equal(source.split(find).length - 1, 1, `${file} should contain once: ${find}`)
      assert.notEqual(find, replace)
      assert(existsSync(join(ROOT, test)), test)
      assert(hasTitle(test, title), `${test} should have the test: ${title}`)
    })
  }

  it('have different names', () => {
    assert.equal(new Set(BUGS.map(({ name }) => name)).size, BUGS.length)
  })
})

/** In the file itself or in a table of titles. A computed title is recognized by its beginning. */
function hasTitle(test: string, title: string): boolean {
  const tables = readdirSync(TABLES).map((file) => join(TABLES, file))
  return [join(ROOT, test), ...tables].some((file) => {
    const source = readFileSync(file, 'utf8')
    return source.includes(title) || (source.includes('${') && source.includes(title.slice(0, 10)))
  })
}
