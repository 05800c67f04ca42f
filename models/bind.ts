/**
 * Compares what the service responds with what a model expects. The model does not know ids and times: each gets a name,
 * its value is stored when it is first seen, and must be the same from then on.
 */
import assert from 'node:assert/strict'

/** A value that the service chooses. The first word of the name is its format. */
export interface Bound {
  $: string
  /** The value is a time that is so much later than the time with this name. */
  plusMs?: number
}

const FORMATS: Record<string, RegExp> = {
  txn: /^txn_[0-9a-f]{32}$/,
  user: /^su_[0-9a-f]{32}$/,
  at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  hex: /^[0-9a-f]{32}$/,
  any: /^.+$/s,
}
/** Two names of these formats never have the same value. */
const UNIQUE = ['txn', 'user', 'hex']

export function isBound(value: unknown): value is Bound {
  return typeof value === 'object' && value !== null && '$' in value
}

export class Bindings {
  readonly #values = new Map<string, string>()
  readonly #names = new Map<string, string>()

  clone(): Bindings {
    const copy = new Bindings()
    for (const [name, value] of this.#values) copy.#values.set(name, value)
    for (const [value, name] of this.#names) copy.#names.set(value, name)
    return copy
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  /** Fields that are undefined in `expected` must be absent. */
  match(actual: unknown, expected: unknown, path = ''): void {
    const both = () => `${path}: ${show(actual)} instead of ${show(expected)}`
    if (isBound(expected)) this.#matchBound(actual, expected, path)
    else if (Array.isArray(expected)) {
      assert(Array.isArray(actual), both())
      assert.equal(actual.length, expected.length, both())
      for (const [index, each] of expected.entries()) {
        this.match(actual[index], each, `${path}[${index}]`)
      }
    } else if (typeof expected === 'object' && expected !== null) {
      assert(typeof actual === 'object' && actual !== null, both())
      const wanted = Object.entries(expected).filter(([, value]) => value !== undefined)
      const names = wanted.map(([name]) => name)
      assert.deepEqual(Object.keys(actual).toSorted(), names.toSorted(), `fields of ${both()}`)
      const fields = actual as Record<string, unknown>
      for (const [name, value] of wanted) this.match(fields[name], value, `${path}.${name}`)
    } else assert.equal(actual, expected, both())
  }

  #matchBound(actual: unknown, { $: name, plusMs = 0 }: Bound, path: string) {
    const format = name.split(' ')[0] as string
    assert(
      typeof actual === 'string' && FORMATS[format]?.test(actual),
      `${path}: ${show(actual)} is no ${name}`,
    )
    const value = plusMs === 0 ? actual : new Date(Date.parse(actual) - plusMs).toISOString()
    const known = this.#values.get(name)
    assert.equal(value, known ?? value, `${path}: another value of ${name}, plus ${plusMs} ms`)
    this.#values.set(name, value)
    if (!UNIQUE.includes(format)) return
    const other = this.#names.get(value) ?? name
    assert.equal(other, name, `${path}: ${name} has the id of ${other}`)
    this.#names.set(value, name)
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined'
}
