/** What a generated client relies on, for the whole document. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOpenApi } from './openapi.ts'

interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { name: string; required: boolean }[]
  responses: Record<string, { description: string; headers: Record<string, unknown> }>
}
type Schema = Record<string, unknown>

const document = buildOpenApi() as {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { required: string[]; properties: Record<string, Schema> }>
  }
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

/** Every object of the document that has a type, with its path. */
function* findSchemas(node: unknown, path = ''): Generator<[path: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  const isType = 'type' in node && (typeof node.type === 'string' || Array.isArray(node.type))
  if (isType && !path.includes('/securitySchemes/')) yield [path, node]
  for (const [key, value] of Object.entries(node)) yield* findSchemas(value, `${path}/${key}`)
}
const schemas = [...findSchemas(document)]

describe('the OpenAPI document', () => {
  it('limits every string, number and array', () => {
    const unlimited = schemas.filter(([, schema]) => {
      const isOf = (type: string) => [schema['type']].flat().includes(type)
      const isNumber = isOf('number') || isOf('integer')
      const hasLeast = 'minimum' in schema || 'exclusiveMinimum' in schema
      return (
        (isOf('string') && !('maxLength' in schema) && !('enum' in schema)) ||
        (isOf('array') && !('maxItems' in schema)) ||
        (isNumber && !('maximum' in schema && hasLeast))
      )
    })
    assert(schemas.length > 100)
    assert.deepEqual(unlimited, [])
  })

  it('has only patterns that JavaScript, Go, Python and PHP read in the same way', () => {
    const patterns = new Set(
      schemas.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : [])),
    )
    assert(patterns.size > 8)
    // Anchors, groups, literals, \. and classes of ASCII characters; no look-around, no \d, \w, \p or \u.
    const member = String.raw`(?:\\x[0-9a-f]{2}|[\w .~-])`
    const piece = String.raw`(?:\[\^?${member}+\]|\\\.|[\w, ]|[()|])(?:[*+?]|\{\d{1,3}(?:,\d{1,3})?\})?`
    const portable = new RegExp(`^\\^(?:${piece})+\\$$`)
    for (const pattern of patterns) assert.match(pattern, portable)
  })

  it('requires authentication for every operation', () => {
    for (const { operationId, tags, security, parameters = [] } of operations) {
      const isOpen = security.some((each) => Object.keys(each).length === 0)
      assert(!isOpen, operationId)
      const session = parameters.find(({ name }) => name === 'session')
      if (tags[0] === 'Server API') assert.deepEqual(security[0], { basic: [] })
      else assert.equal(session?.required, true, operationId)
    }
  })

  it('has a required code in every error, of which a client can accept new values', () => {
    const error = document.components.schemas['Error']
    assert.deepEqual(error?.required, ['error', 'code'])
    const code = error.properties['code'] ?? assert.fail()
    assert.equal('enum' in code, false)
    const known = code['x-extensible-enum'] as string[]
    const listed = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ description }) =>
        [...description.matchAll(/^`([A-Z_]+)`/gm)].map(([, each = '']) => each),
      ),
    )
    assert.deepEqual([...new Set(listed)].toSorted(), known.toSorted())
  })

  it('has the status of USER_NOT_FOUND for each endpoint', () => {
    const statuses = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { description }]) => description.includes('`USER_NOT_FOUND`'))
        .map(([status]) => [operationId, status]),
    )
    assert.deepEqual(Object.fromEntries(statuses), {
      readWallet: '401',
      checkBalance: '401',
      debit: '404',
      credit: '404',
      hold: '404',
      listHolds: '404',
      createSession: '404',
    })
  })
})
