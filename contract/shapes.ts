/** The fields that endpoints share. */
import { z } from 'zod'
import {
  DESCRIPTION_MAX,
  EMAIL_LOCAL_MAX,
  EMAIL_MAX,
  NAME_MAX,
  PASSWORD_MAX,
  REASON_MAX,
  REASON_MIN,
  REFERENCE_ID_MAX,
  REFERENCE_TYPE_MAX,
  SERVICE_USER_ID_MAX,
  TRANSACTIONS_MAX,
} from './limits.ts'
import { BALANCE_MAX_MINOR } from './money.ts'

/**
 * A string that matches a pattern. `expected` completes the sentence "The field … must be …". Errors contain it, so an
 * integrator learns what is wrong without reading the pattern.
 */
export function matching(pattern: RegExp, expected: string) {
  const error = `must be ${expected}`
  return z.string({ error }).regex(pattern, { error })
}

/**
 * Text of so many characters (code points), without control characters and lone surrogates: two different lone
 * surrogates would become one key, NUL is an error in PostgreSQL, and a new line would begin another paragraph in an
 * email. The OpenAPI document has a pattern that more languages understand.
 */
export function text(
  min: number,
  max: number,
  expected = `a string of ${min === 0 ? 'at most ' : `${min} to `}${max} characters without control characters`,
) {
  return matching(new RegExp(`^[^\\p{Cc}\\p{Cs}]{${min},${max}}$`, 'u'), expected).meta({
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$`,
  })
}

export const serviceUserId = text(1, SERVICE_USER_ID_MAX).meta({
  description:
    'The id of the linked user, as returned when the user linked the app. Every client app gets a different id for the same person.',
  examples: ['su_5f0c2a9e7b1d4c3f8a6e9d0b2c4f6a81'],
})
export const referenceType = text(1, REFERENCE_TYPE_MAX).meta({
  description: 'A label that you choose.',
  examples: ['ORDER_PAYMENT'],
})
export const referenceId = text(1, REFERENCE_ID_MAX).meta({
  description: 'Your id for this attempt. Together with referenceType it is the idempotency key.',
  examples: ['order-1001'],
})
export const description = text(0, DESCRIPTION_MAX).meta({
  description: 'Shown to the user in the history.',
  examples: ['Two coffees'],
})

/** For the operators and the audit log; the person does not see it. */
export const reason = text(REASON_MIN, REASON_MAX)
  .refine((value) => value.trim().length >= REASON_MIN)
  .meta({ description: 'The reason, for the audit log.', examples: ['Paid twice, ticket 4711'] })

/**
 * The source text of an amount. The JSON parser passes a number on as it was written, so that the check runs
 * on the text and not on a double. On the wire it is a JSON number, or a string of the same grammar.
 */
export const amount = z
  .string()
  .max(64)
  .meta({
    description:
      'Major units, for example 19.99, as a JSON number or a string. Greater than 0, at most 999999999.99, no exponent, no more decimal places than the currency has.',
    examples: [19.99],
  })
export const requiredAmount = z
  .string()
  .max(64)
  .meta({
    description: 'Major units, for example 19.99. The same format as an amount; 0 is allowed.',
    examples: ['19.99'],
  })

const LIMIT = `a number from 1 to ${TRANSACTIONS_MAX}`
export const limit = matching(/^[1-9]\d{0,2}$/, LIMIT)
  .transform(Number)
  .refine((value) => value <= TRANSACTIONS_MAX, { error: `must be ${LIMIT}` })
  .meta({ description: `How many transactions to return, 1 to ${TRANSACTIONS_MAX}.` })
export const cursor = text(1, 64).describe('The nextCursor of the previous page.')

/** The id of a client app, a login or an operator. An unknown id is not found. */
export const id = text(0, 64)
/** Search terms. */
export const search = text(0, 100)
/** The name of a time zone. The service rejects an unknown one. */
export const timeZone = text(1, 64).meta({ examples: ['Europe/Berlin'] })

/** A day in UTC. There is no year 0, and PostgreSQL rejects it. */
const DAY = { error: 'must be a day such as 2026-01-31' }
export const day = z.iso
  .date(DAY)
  .refine((given) => !given.startsWith('0000'), DAY)
  .meta({ pattern: '^[0-9]{4}[-][0-9]{2}[-][0-9]{2}$', maxLength: 10, examples: ['2026-01-31'] })
/** A filter; both days are included. */
export const days = { from: day.optional(), to: day.optional() }
/** A minute in UTC, such as 2026-01-31T12:00, in the format of a browser's input for a time. */
export const minute = z.iso
  .datetime({ local: true, precision: -1 })
  .refine((given) => !given.startsWith('0000') && !given.endsWith('Z'))

export const money = z.number().meta({
  description: 'Major units.',
  minimum: 0,
  // In a currency without decimals.
  maximum: Number(BALANCE_MAX_MINOR),
  examples: [80.01],
})
export const currency = z.string().meta({
  description: 'ISO 4217 code of the deployment.',
  pattern: '^[A-Z]{3}$',
  maxLength: 3,
  examples: ['USD'],
})
/** Text in a response that has no format of its own. */
export function shown(maxLength: number) {
  return z.string().meta({ maxLength })
}
export const transactionId = z.string().meta({
  description:
    'The id of the entry in the history. Every client app gets a different id for the same entry.',
  pattern: '^txn_[0-9a-f]{32}$',
  maxLength: 36,
  examples: ['txn_79d5010f91bc67e6619beb58f79c489b'],
})
export const timestamp = z.string().meta({
  format: 'date-time',
  maxLength: 24,
  description: 'ISO 8601, UTC.',
  examples: ['2026-01-31T12:00:00.000Z'],
})
/** A known code, or another one that a newer service added. A client must not fail on it. */
export function errorCode(known: readonly string[]) {
  return z.string().meta({
    pattern: '^[A-Z][A-Z0-9_]*$',
    maxLength: 64,
    'x-extensible-enum': known,
  })
}
export const direction = z.enum(['debit', 'credit'])

export const transaction = z.object({
  id: transactionId,
  type: direction,
  amount: money,
  balanceAfter: money,
  currency,
  referenceType: referenceType.nullable().describe('null unless your app made the entry.'),
  referenceId: referenceId.nullable().describe('null unless your app made the entry.'),
  description: description
    .nullable()
    .describe('null unless your app made the entry and set a description.'),
  source: z
    .enum(['this_app', 'other_app', 'topup', 'bonus', 'dispute', 'correction', 'hold'])
    .describe(
      'Where the entry comes from. It does not depend on the referenceType that the app chose. hold: money was reserved (debit) or returned (credit).',
    ),
  refundOf: transactionId
    .optional()
    .describe('Only on refunds of your app: the id of the entry of the debit.'),
  createdAt: timestamp,
})
export type Transaction = z.output<typeof transaction>
/** An entry as the owner of the wallet and operators see it. */
export const ownTransaction = transaction.extend({
  app: z.string().nullable().describe('The name of the client app; null if none.'),
  refundOf: transactionId.optional().describe('Only on refunds: the id of the entry of the debit.'),
  refunded: money.optional().describe('Only on debits that were refunded: how much of it.'),
})

const HOLD_STATE = ['open', 'captured', 'released', 'expired'] as const
export const holdState = z
  .enum(HOLD_STATE, { error: `must be one of ${HOLD_STATE.join(', ')}` })
  .describe('How the hold ended; open if money is still held.')
/** A hold of the app that lists it. */
export const listedHold = z.object({
  state: holdState,
  amount: money.describe('The original amount of the hold.'),
  captured: money.describe('How much was captured.'),
  held: money.describe('How much is still held.'),
  currency,
  referenceType,
  referenceId,
  serviceUserId: serviceUserId.describe('The id that the user had at that time.'),
  expiresAt: timestamp,
  createdAt: timestamp,
})

/** A name. It must contain visible text and no characters that change the direction of the surrounding text. */
export const personName = text(1, NAME_MAX)
  .refine((value) => value.trim() !== '' && !/\p{Bidi_Control}/u.test(value))
  .meta({ examples: ['Ada'] })
export const walletOwner = z.object({
  firstName: shown(NAME_MAX),
  lastName: shown(NAME_MAX),
  maskedEmail: shown(EMAIL_MAX).meta({
    description:
      'The first character and the domain of the email address, so that the person recognizes the wallet. Never the full address.',
    examples: ['a…@example.com'],
  }),
})
export type WalletOwner = z.output<typeof walletOwner>
/**
 * One mailbox, written in one way: RFC 5322's dot-atom, with letters of any script before the @, and a domain name in
 * ASCII, as browsers send it. No quotes, comments, brackets, lists or IP addresses: a mail library reads those as
 * another recipient, or as several. Only NFKC, because mail servers may treat other forms as the same mailbox.
 */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+\\/=?^_`{|}~\\-]+"
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?'
const LAST_LABEL = '[A-Za-z](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])'
export const email = z
  .string()
  .max(EMAIL_MAX)
  .regex(new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LAST_LABEL}$`, 'u'))
  .refine((value) => value.indexOf('@') <= EMAIL_LOCAL_MAX && value.normalize('NFKC') === value)
  .meta({ examples: ['ada@example.com'] })
/** Any Unicode text. The service checks the strength of a new password; this schema only limits what it accepts. */
export const password = text(1, PASSWORD_MAX)
export const code = z.string().regex(/^\d{6}$/)
/**
 * The random text that an app's backend keeps in its user's session, and the part of it that pages may see (RFC 7636).
 */
export const verifier = matching(
  /^[\w.~-]{43,128}$/,
  'a string of 43 to 128 letters, digits and the characters - . _ ~',
).meta({
  pattern: '^[A-Za-z0-9._~-]*$',
  minLength: 43,
  maxLength: 128,
  description: 'The random text whose challenge the page passed to the widget.',
  examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
})
export const challenge = z
  .string()
  .regex(/^[\w-]{43}$/)
  .meta({
    description: 'SHA-256 of the verifier, in base64url.',
    examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  })
export const ticket = z.string().regex(/^[\w-]{1,64}$/)

/** A saved card, as the card processor names it. */
export const cardId = z
  .string()
  .regex(/^\w{1,255}$/)
  .meta({ examples: ['pm_1MtwBwLkdIwHu7ix28a3tqPa'] })
