import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../service-error.ts'
import { parseJson } from './parse-json.ts'

const parse = (text: string) => parseJson(Buffer.from(text)) as Record<string, unknown>
const refused = (error: unknown) =>
  error instanceof ServiceError && error.code === 'INVALID_REQUEST'

describe('parseJson', () => {
  const AMOUNTS: [string, string, unknown][] = [
    ['keeps the text of an amount', '{"amount":1.10}', '1.10'],
    [
      'keeps digits that a double would lose',
      '{"amount":9007199254740993.001}',
      '9007199254740993.001',
    ],
    ['keeps exponents and signs', '{ "amount" : -1.5E+3 }', '-1.5E+3'],
    ['takes the last of two amounts, as JSON does', '{"amount":1,"amount":20}', '20'],
    ['takes the last amount, also if the first is text', '{"amount":"1","amount":20}', '20'],
    [
      'finds an amount after a value with that name',
      '{"referenceId":"amount","amount":2.50}',
      '2.50',
    ],
    [
      'finds an amount before a value with that name',
      '{"amount":2.50,"description":"amount"}',
      '2.50',
    ],
    ['finds an amount whose name is escaped', '{"\\u0061mount":3.0}', '3.0'],
    ['leaves an amount that is text', '{"amount":"1.10"}', '1.10'],
    ['leaves an amount that is null', '{"amount":null}', null],
  ]
  for (const [title, text, amount] of AMOUNTS) {
    it(title, () => assert.deepEqual(parse(text)['amount'], amount))
  }

  it('keeps the text of an amount in a nested object', () => {
    assert.deepEqual(parse('{"a":{"amount":1.0},"amount":2.0}'), {
      a: { amount: '1.0' },
      amount: '2.0',
    })
  })

  it('leaves other numbers as they are', () => {
    assert.deepEqual(parse('{"limit":10,"amount":1.0}'), { limit: 10, amount: '1.0' })
  })

  const REFUSED: [string, Buffer][] = [
    ['invalid JSON', Buffer.from('{"amount":1')],
    ['an amount that is not a JSON number', Buffer.from('{"amount":01}')],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a key that changes a prototype', Buffer.from('{"__proto__":{"amount":1}}')],
    ['the same key in an array', Buffer.from('{"a":[{"__proto__" : 1}]}')],
    ['an amount in an array that is not a JSON number', Buffer.from('[{"amount":1.}]')],
    ['two numbers for an amount in an array', Buffer.from('[{"amount":1 2}]')],
    ['another space after the name of an amount', Buffer.from('[{"amount"\u00a0:1}]')],
    ['a string without an end', Buffer.from('[{"amount":1,"a\\"]')],
    ['101 nested arrays', Buffer.from('['.repeat(101) + ']'.repeat(101))],
    ['the same key, escaped', Buffer.from('{"\\u005f_proto__":{"amount":1}}')],
  ]
  for (const [title, bytes] of REFUSED) {
    it(`refuses ${title}`, () => assert.throws(() => parseJson(bytes), refused))
  }

  it('accepts names of prototypes as values, and 100 nested arrays', () => {
    assert.deepEqual(parse('{"a":["__proto__"],"b":"{[\\""}'), { a: ['__proto__'], b: '{["' })
    assert.doesNotThrow(() => parse('['.repeat(100) + ']'.repeat(100)))
  })

  it('refuses large bodies that are built to take long, or reads them quickly', () => {
    const bodies = ['0,', '[],', '{"amount":1},', '"\\u0061mount":1,', '\\"', '"', '" :', '1'].map(
      (part) => `{"a":[${part.repeat((512 * 1024) / part.length)}`,
    )
    const before = process.cpuUsage()
    for (const body of bodies) assert.throws(() => parse(body), refused)
    const seconds = process.cpuUsage(before).user / 1e6
    assert(seconds < 5, `${seconds} s for ${bodies.length} bodies`)
  })

  /**
   * Reads text that JSON.stringify wrote, so the text of a number follows from its value. The engine's reviver, which
   * gets the source text, is no reference: V8 13.6 takes some escaped keys for others.
   */
  function readAmounts(value: unknown, key = ''): unknown {
    if (typeof value === 'number' && key === 'amount') return JSON.stringify(value)
    if (Array.isArray(value)) return value.map((each) => readAmounts(each))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, each]) => [name, readAmounts(each, name)])
    return Object.fromEntries(entries) as unknown
  }

  it('reads nested bodies as the engine does', () => {
    const text = fc.constantFrom('amount', '"', '\\', '"amount":1', '{', ']', 'ä\u0000')
    // After a key that ends with a backslash, V8 13.6 takes other keys that start like it for the same key.
    const key = fc.constantFrom('amount', '"', '\\a', '"amount":1', '{', ']', 'ä\u0000', 'amount')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        text,
        fc.boolean(),
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree')),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const json = JSON.stringify([value], null, space)
        for (const each of [json, json.replaceAll('amount', '\\u0061mount')]) {
          assert.deepEqual(parse(each), readAmounts(JSON.parse(each)))
        }
      }),
    )
  })

  it('finds the same amount in every spelling of a body', () => {
    const key = fc.constantFrom('amount', 'referenceId', 'description', 'a', '"', '\\')
    const value = fc.oneof(
      fc.constantFrom('amount', '{', '[', '\\', ''),
      fc.integer(),
      fc.boolean(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value)), fc.nat(1e6), (pairs, cents) => {
        const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
        const parts = pairs
          .filter(([name]) => name !== 'amount')
          .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`)
        const place = cents % (parts.length + 1)
        const text = `{${parts.toSpliced(place, 0, `"amount":${amount}`).join()}}`
        assert.equal(parse(text)['amount'], amount)
      }),
    )
  })
})
