/** Checks the class names in web/: TypeScript does not know which classes a style sheet has. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const IMPORT = /^import \* as (\w+) from '(\.[^']+\.module\.css)'$/gm

/** The classes that a style sheet defines. */
function readClasses(file: string): Set<string> {
  const rules = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|:global\(.*?\)/gs, '')
  return new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))
}

const styles = globSync('web/*/**/*.css', { exclude: ['**/dist/**', '**/node_modules/**'] })
const sheets = new Map(
  styles.filter((file) => file.endsWith('.module.css')).map((file) => [file, readClasses(file)]),
)
const components = globSync('web/*/**/*.tsx', { exclude: ['**/dist/**', '**/node_modules/**'] })

/** The style sheets that a component imports, and its source without the imports. */
function readComponent(file: string) {
  const source = readFileSync(file, 'utf8')
  const imports = [...source.matchAll(IMPORT)].map(([, alias = '', path = '']) => ({
    alias,
    sheet: join(dirname(file), path),
  }))
  return { file, imports, body: source.replaceAll(/^import .*$/gm, ''), source }
}

const read = components.map(readComponent)

function findUses({ imports, body }: (typeof read)[number]) {
  return imports.flatMap(({ alias, sheet }) =>
    [...body.matchAll(new RegExp(`(?<![.\\w'])${alias}\\.(\\w+)`, 'g'))].map(([, name = '']) => ({
      sheet,
      name,
    })),
  )
}

describe('the style sheets', () => {
  it('define every class that a component uses', () => {
    const faults = read.flatMap((component) =>
      findUses(component)
        .filter(({ sheet, name }) => !sheets.get(sheet)?.has(name))
        .map(({ sheet, name }) => `${component.file}: ${sheet} has no class ${name}`),
    )
    assert.deepEqual(faults, [])
  })

  it('define no unused class', () => {
    const used = new Set(read.flatMap(findUses).map(({ sheet, name }) => `${sheet}: ${name}`))
    const faults = [...sheets].flatMap(([sheet, classes]) =>
      [...classes].map((name) => `${sheet}: ${name}`).filter((key) => !used.has(key)),
    )
    assert.deepEqual(faults, [])
  })

  it('are imported as a namespace, and every class is named in full', () => {
    const faults = read.flatMap(({ file, imports, body, source }) => [
      ...[...source.matchAll(/^import .*\.module\.css'$/gm)]
        .filter(([line]) => !new RegExp(IMPORT.source).test(line))
        .map(([line]) => `${file}: ${line}`),
      ...imports
        .filter(({ alias }) =>
          new RegExp(`[{(]${alias}[,)}]|\\.{3}${alias}\\b|\\b${alias}\\[`).test(body),
        )
        .map(({ alias }) => `${file}: ${alias} is used without the name of a class`),
    ])
    assert.deepEqual(faults, [])
  })

  it('are the only source of class names', () => {
    const faults = read.flatMap(
      ({ file, body }) =>
        body
          .replaceAll(/ === '\w+'|\$\{[\w.[\]]+\}/g, '')
          .match(/\bclass(?:="|=\{[^}]*['"`]\s*\w)[^\n]*/g)
          ?.map((use) => `${file}: ${use}`) ?? [],
    )
    assert.deepEqual(faults, [])
  })

  it('are modules if they contain classes', () => {
    const faults = styles
      .filter((file) => !sheets.has(file))
      .flatMap((file) => [...readClasses(file)].map((name) => `${file}: .${name}`))
    assert.deepEqual(faults, [])
  })
})
