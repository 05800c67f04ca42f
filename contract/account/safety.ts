/**
 * Endpoints with which a person secures the account, chooses receipts and the language, and exports the stored data.
 */
import { z } from 'zod'
import { ANY_PERSON_GET, ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { LANGUAGES } from '../languages.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

export const secureAccount = defineEndpoint({
  method: 'POST',
  path: '/api/account/secure',
  summary: 'Secure the account',
  description:
    "Requires the ticket from the link in an email about the account (“This wasn't me”). Ends all logins, links and their sessions, removes all passkeys, switches automatic top-up off and disables the password. Captures of holds that apps placed in the last seven days wait for an operator.",
  input: z.object({ ticket: shape.ticket }),
  response: z.object({}),
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const language = z
  .enum(LANGUAGES)
  .nullable()
  .describe('The language of the pages at /account and of emails; null: that of the browser.')

export const setLanguage = defineEndpoint({
  method: 'POST',
  path: '/api/account/language',
  summary: 'Choose the language',
  description: 'Sets the language of the pages at /account and of the emails to this person.',
  input: z.object({ language }),
  response: z.object({}),
  errors: ANY_PERSON_POST,
})

export const setReceipts = defineEndpoint({
  method: 'POST',
  path: '/api/account/receipts',
  summary: 'Switch receipts on or off',
  description:
    'Whether the person gets an email for every top-up. Emails about the security of the account are always sent.',
  input: z.object({ wantsReceipts: z.boolean() }),
  response: z.object({}),
  errors: ANY_PERSON_POST,
})

/** Streams a file, so the response has no schema. */
export const exportAccount = defineEndpoint({
  method: 'GET',
  path: '/api/account/data.json',
  summary: 'Export all data',
  description:
    'The data that is stored about the person, as a JSON file: account, settings, apps and their limits, passkeys, logins, top-ups and history.',
  input: z.object({}),
  response: z.object({}),
  errors: ANY_PERSON_GET,
})

export const SAFETY_ENDPOINTS = { secureAccount, setReceipts, setLanguage, exportAccount }
