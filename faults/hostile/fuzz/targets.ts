/** Every parser that unauthenticated callers can reach, and what must hold for any input. */
import { InvalidClient, ServiceError } from '../../../server/service-error.ts'
import * as shape from '@coffer/contract/shapes'
import assert from 'node:assert/strict'
import { faultOfOrigin } from '../../../server/client-app/origins.ts'
import { readCall } from '../../../server/http/page-route.ts'
import { parseJson } from '../../../server/http/parse-json.ts'
import { credentialsOf } from '../../../server/http/route.ts'
import { toLine } from '../../../server/http/csv.ts'
import { nameDevice } from '../../../server/account/name-device.ts'
import { TEXTS } from '../../../server/test/requests/values.ts'
import type { FuzzTarget } from './fuzz-target.ts'
import { AMOUNTS } from './target-amounts.ts'
import { TRANSACTION_IDS } from './target-transaction-ids.ts'
import { WEBHOOKS } from './target-webhooks.ts'

const JSON_BODIES: FuzzTarget = {
  name: 'json',
  seeds: ['{"amount":19.99,"a":"b"}', '{"a":{"amount":1}}', '[1,{"amount":"2"}]', '{"amount":1e2}'],
  dictionary: [
    '"amount"',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\\u0061mount',
    '__proto__',
    '1e9',
    ' ',
  ],
  run(input) {
    let parsed: unknown
    try {
      parsed = parseJson(input)
    } catch (error) {
      assert(error instanceof ServiceError && error.code === 'INVALID_REQUEST')
      return
    }
    // The same result as JSON.parse, except that amounts are the text of the same number.
    const plain: unknown = JSON.parse(input.toString())
    assert.deepEqual(numbersAgain(parsed, plain), plain)
    assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined)
  },
}

function numbersAgain(parsed: unknown, plain: unknown, key = ''): unknown {
  if (key === 'amount' && typeof plain === 'number') {
    assert(typeof parsed === 'string')
    return Number(parsed)
  }
  if (typeof parsed !== 'object' || parsed === null) return parsed
  const others = plain as Record<string, unknown>
  if (Array.isArray(parsed)) return parsed.map((each, at) => numbersAgain(each, others[at]))
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, numbersAgain(value, others[name], name)]),
  )
}

/** Empty if the header is refused. */
function readCredentials(request: Parameters<typeof credentialsOf>[0]) {
  try {
    return credentialsOf(request, { clientId: 1 })
  } catch (error) {
    assert(error instanceof InvalidClient)
    return { clientId: '', clientSecret: undefined }
  }
}

const CREDENTIALS: FuzzTarget = {
  name: 'credentials',
  seeds: ['Basic YXBwXzE6c2VjcmV0', 'basic Og==', 'Bearer abc', 'Basic ', ''],
  dictionary: ['Basic ', 'YTpi', '=', ':', ' ', 'Og', '-', '_'],
  run(input) {
    const headers = { authorization: input.toString('latin1') }
    const { clientId, clientSecret } = readCredentials({ headers })
    assert(typeof clientId === 'string' && clientId.length <= 512 && !clientId.includes(':'))
    assert(clientSecret === undefined || typeof clientSecret === 'string')
    assert(!clientSecret?.includes(':'))
  },
}

const COOKIES: FuzzTarget = {
  name: 'cookies',
  seeds: ['__Host-coffer=abc', 'a=b; __Host-coffer=abc; c=d', '__Host-coffer', '=;=', ''],
  dictionary: ['__Host-coffer', '=', ';', '; ', '"', ' ', ','],
  run(input) {
    const header = input.toString('latin1')
    const request = { headers: { cookie: header }, ip: '192.0.2.1', host: '' } as never
    const value = readCall(request, undefined as never, { allowsHttpLogin: false }).cookie(
      '__Host-coffer',
    )
    const pairs = header.split(';').filter((part) => part.includes('='))
    const cut = (part: string, at: number) => [strip(part.slice(0, at)), strip(part.slice(at + 1))]
    const cookies = pairs.map((part) => cut(part, part.indexOf('=')))
    assert.equal(value, cookies.find(([name]) => name === '__Host-coffer')?.[1])
  },
}

function strip(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && ' \t'.includes(text.charAt(start))) start++
  while (start < end && ' \t'.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const ORIGINS: FuzzTarget = {
  name: 'origins',
  seeds: ['https://shop.example', 'http://localhost:3000', 'https://shop.example:8443/', 'null'],
  dictionary: [
    'https://',
    'http://',
    'localhost',
    '127.0.0.1',
    '@',
    ':443',
    '/',
    '*',
    '?',
    '#',
    '%',
    '[::1]',
  ],
  run(input) {
    const text = input.toString()
    const fault = faultOfOrigin(text)
    if (fault !== undefined) return assert(fault.length > 0)
    const { origin, protocol, hostname } = new URL(text)
    assert.equal(origin, text)
    assert(protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname))
    // The origin is used in a response header.
    assert.match(text, /^https?:\/\/[a-z0-9.:[\]_-]+$/)
  },
}

const CSV: FuzzTarget = {
  name: 'csv',
  seeds: ['a|b', '=1+1|"x"', 'a,b|c\r\nd', "'|-1", '\t|@'],
  dictionary: ['|', '"', ',', ';', '\r\n', '\n', '=', '+', '-', '@', '\t', "'"],
  run(input) {
    const cells = input.toString().split('|')
    const line = toLine(cells)
    const read = readLine(line)
    assert.equal(read.length, cells.length)
    const withoutMarks = (text: string | undefined) => text?.replaceAll("'", '')
    for (const [at, cell] of read.entries()) {
      assert(!/^[=+\-@\t\r]/.test(cell), 'a cell is a formula')
      assert(!/[;\t\r\n][=+\-@]/.test(cell), 'a part of a cell is a formula')
      assert.equal(withoutMarks(cell), withoutMarks(cells[at]))
    }
  },
}

/** Reads one line as in RFC 4180, independently of the code that writes it. */
function readLine(line: string): string[] {
  const cells: string[] = []
  for (let at = 0; ;) {
    const quoted = /"((?:[^"]|"")*)"|([^",\r\n]*)/y
    quoted.lastIndex = at
    const [all = '', inside, plain = ''] = quoted.exec(line) ?? []
    cells.push(inside === undefined ? plain : inside.replaceAll('""', '"'))
    at += all.length
    if (line.slice(at) === '\r\n') return cells
    assert.equal(line[at], ',', 'a cell ends where it should not')
    at++
  }
}

const SHAPES: FuzzTarget = {
  name: 'shapes',
  seeds: ['su_5f0c2a9e7b1d4c3f8a6e9d0b2c4f6a81', 'ada@example.com', '100', '2026-01-31', 'Ada'],
  dictionary: ['@', '.', '\0', '\ud800', ' ', '1', '-', 'é', '\u0085', '\u202e'],
  run(input) {
    const text = input.toString()
    for (const each of [shape.serviceUserId, shape.referenceId, shape.description, shape.cursor]) {
      const { success } = each.safeParse(text)
      if (success) assert(!/[\p{Cc}\p{Cs}]/u.test(text) && Array.from(text).length <= 500)
    }
    if (shape.email.safeParse(text).success) assert.match(text, /^[^@\s]+@[^@\s]+\.[^@\s]+$/)
    if (shape.ticket.safeParse(text).success) assert.match(text, /^[A-Za-z0-9_-]{1,64}$/)
    const limit = shape.limit.safeParse(text)
    if (limit.success) assert(Number.isInteger(limit.data) && limit.data >= 1 && limit.data <= 100)
    assert(nameDevice(text).length <= 40)
  },
}

const PARSERS: readonly FuzzTarget[] = [
  AMOUNTS,
  JSON_BODIES,
  TRANSACTION_IDS,
  CREDENTIALS,
  COOKIES,
  ORIGINS,
  WEBHOOKS,
  CSV,
  SHAPES,
]

/** Each also starts with the texts that hostile requests contain. */
export const TARGETS: readonly FuzzTarget[] = PARSERS.map((parser) => ({
  ...parser,
  seeds: [...parser.seeds, ...TEXTS],
}))
