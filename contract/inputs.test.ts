/** What holds for every text that a caller sends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { ACCOUNT_ENDPOINTS } from './account/account.ts'
import { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from './admin/endpoints.ts'
import { CLIENT_SECRET_ENDPOINTS } from './client-secret.ts'
import type { Endpoint } from './endpoint.ts'
import { SERVER_ENDPOINTS } from './server/wallet.ts'
import * as shape from './shapes.ts'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from './widget/widget.ts'
import { WIDGET_CARD_ENDPOINTS } from './widget/cards.ts'

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  ...SERVER_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...WIDGET_CARD_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...CLIENT_SECRET_ENDPOINTS,
  ...ADMIN_SIGN_IN_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
}

/** The schemas of all texts in an input, with their paths. */
function* findTexts(schema: unknown, path: string): Generator<[path: string, text: z.ZodString]> {
  if (schema instanceof z.ZodString) yield [path, schema]
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* findTexts(schema.unwrap(), path)
  } else if (schema instanceof z.ZodArray) yield* findTexts(schema.element, `${path}[]`)
  else if (schema instanceof z.ZodPipe) yield* findTexts(schema.in, path)
  else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) yield* findTexts(option, path)
  } else if (schema instanceof z.ZodObject) {
    for (const [key, value] of Object.entries(schema.shape))
      yield* findTexts(value, `${path}.${key}`)
  }
}

/** They never reach the database as a text: other code parses them, and refuses what is no amount. */
function isAmount(text: z.ZodString): boolean {
  const { examples } = text.meta() ?? {}
  return [shape.amount, shape.requiredAmount].some((each) => each.meta()?.examples === examples)
}

/** The service only compares them with what it knows. */
const COMPARED = ['createSession.parentOrigin', 'readWidgetWallet.session']

const texts = Object.entries(ENDPOINTS)
  .flatMap(([name, { input }]) => [...findTexts(input, name)])
  .filter(([path, text]) => !isAmount(text) && !COMPARED.includes(path))

describe('every text of an input', () => {
  // NUL is an error in PostgreSQL, and a new line would begin another paragraph of an email.
  for (const [name, character] of [
    ['NUL', '\0'],
    ['a new line', '\n'],
    ['a carriage return', '\r'],
    ['a lone surrogate', '\ud800'],
  ] as const) {
    it(`refuses ${name}`, () => {
      assert(texts.length > 150)
      const values = [
        character,
        `a${character}a`,
        `000${character}000`,
        `https://a.example/${character}a`,
      ]
      const accepting = texts.filter(([, text]) =>
        values.some((value) => text.safeParse(value).success),
      )
      assert.deepEqual(
        accepting.map(([path]) => path),
        [],
      )
    })
  }
})
