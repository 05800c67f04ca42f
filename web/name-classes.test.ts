/** Needs the build output of web/. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findSheets, nameClasses, readNames } from './name-classes.ts'

const root = import.meta.dirname
const classes = findSheets(root).flatMap((file) =>
  readNames(readFileSync(join(root, file), 'utf8')).classes.map((name) => ({ file, name })),
)

function nameAll(): string[] {
  const toShort = nameClasses(root)
  return classes.map(({ file, name }) => toShort(name, join(root, file)))
}

describe('the names of classes', () => {
  it('have two characters, the first one a letter', () => {
    assert.deepEqual(
      nameAll().filter((name) => !/^[c-z][0-9a-z]$/.test(name)),
      [],
    )
  })

  it('are unique, and the same in every build', () => {
    const names = nameAll()
    assert.equal(new Set(names).size, classes.length)
    assert.deepEqual(nameAll(), names)
  })

  it('exist only for classes of the style sheets', () => {
    assert.throws(() => nameClasses(root)('missing', join(root, 'ui/button.module.css')))
  })

  it('are all in the built style sheets', () => {
    const css = globSync(join(root, 'dist/assets/*.css')).map((file) => readFileSync(file, 'utf8'))
    const built = new Set(css.flatMap((each) => readNames(each).classes))
    const toShort = nameClasses(root)
    const faults = classes.filter(({ file, name }) => !built.has(toShort(name, join(root, file))))
    assert.deepEqual(faults, [])
  })

  it('ignore comments and global classes', () => {
    const css = '/* .no */ .a > :global(.no), .b-c:hover { animation: d 0.5s } @keyframes d { }'
    assert.deepEqual(readNames(css), { classes: ['a', 'b-c'], animations: ['d'] })
  })
})
