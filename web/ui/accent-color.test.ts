import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { contrastOf, deriveAccent } from './accent-color.ts'

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

/** The light and the dark value of a token. */
function schemesOf(name: string): { light: string; dark: string } {
  const values = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(
    tokens,
  )
  return { light: values?.[1] ?? '', dark: values?.[2] ?? '' }
}

/** Colors on a grid over the whole RGB cube, including its corners and edges. */
function* manyColors() {
  const steps = ['00', '22', '55', '77', '88', 'aa', 'dd', 'ff']
  for (const r of steps) for (const g of steps) for (const b of steps) yield `#${r}${g}${b}`
}

function assertReadable(colors: Record<string, string>, what: string) {
  for (const scheme of ['light', 'dark'] as const) {
    const fill = colors[`--accent-fill-${scheme}`] ?? ''
    const onFill = contrastOf(fill, colors[`--on-accent-${scheme}`] ?? '')
    assert.ok(onFill >= 4.5, `${what} ${scheme}: ${onFill} on a button`)
    for (const name of ['bg', 'bg-subtle']) {
      const text = contrastOf(colors[`--accent-text-${scheme}`] ?? '', schemesOf(name)[scheme])
      assert.ok(text >= 4.5, `${what} ${scheme}: ${text} as text on ${name}`)
    }
  }
}

describe('the accent', () => {
  it('is readable on every background and under its text, whatever color an app chooses', () => {
    for (const color of manyColors()) assertReadable(deriveAccent(color), color)
  })

  it('is readable by default', () => {
    const names = [...tokens.matchAll(/(--[\w-]*accent[\w-]*): (#\w+)/g)]
    assertReadable(Object.fromEntries(names.map(([, name, value]) => [name, value])), 'ours')
  })

  it('is not changed if it is readable', () => {
    const derived = deriveAccent('#4650e5')
    assert.equal(derived['--accent-fill-light'], '#4650e5')
    assert.equal(derived['--accent-text-light'], '#4650e5')
  })

  it('is not derived from an invalid color', () => {
    for (const text of ['', 'red', '#fff', '#12345g', 'url(x)'])
      assert.deepEqual(deriveAccent(text), {})
  })
})
