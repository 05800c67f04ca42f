import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** "c0" in base 36: the names begin with a letter, and none is "ad", which ad blockers hide. */
const FIRST = 432

export function findSheets(root: string): string[] {
  return globSync('*/**/*.module.css', { cwd: root, exclude: ['dist', 'node_modules'] }).toSorted()
}

/** The classes and animations that a style sheet defines. */
export function readNames(css: string): { classes: string[]; animations: string[] } {
  const rules = css.replaceAll(/\/\*.*?\*\/|:global\(.*?\)/gs, '')
  const find = (pattern: RegExp) => [...rules.matchAll(pattern)].map(([, name = '']) => name)
  return {
    classes: [...new Set(find(/\.([a-z][\w-]*)/gi))],
    animations: [...new Set(find(/@keyframes ([\w-]+)/g))],
  }
}

/** Two characters for every class: unique in the build, and the same for the same sources. */
export function nameClasses(root: string): (name: string, file: string) => string {
  const keys = findSheets(root).flatMap((file) => {
    const { classes, animations } = readNames(readFileSync(`${root}/${file}`, 'utf8'))
    return [...new Set([...classes, ...animations])].map((name) => `${file}:${name}`)
  })
  const names = new Map(keys.map((key, at) => [key, (FIRST + at).toString(36)]))
  return (name, file) => {
    const short = names.get(`${relative(root, file)}:${name}`)
    if (short?.length !== 2) throw new Error(`No name for the class ${name} in ${file}`)
    return short
  }
}
