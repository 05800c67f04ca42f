/** The responses of the endpoints of operations to a decision or a refusal. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, type ErrorCode, type ErrorEntry } from '@coffer/contract/errors'
import { capture, hold, release } from '@coffer/contract/server/holds'
import { credit, debit, refund } from '@coffer/contract/server/wallet'
import { CURRENCY, idOf, timeOf, toMajor, type Answer, type Decision, type Type } from './state.ts'

export const ENDPOINTS: Record<Type, Endpoint> = { debit, credit, refund, hold, capture, release }

export function refuse(
  { errors }: Pick<Endpoint, 'errors'>,
  code: ErrorCode,
  retryAfterSeconds?: number,
): Answer {
  const entry: ErrorEntry = { ...ERRORS[code], ...errors[code] }
  const seconds = retryAfterSeconds ?? entry.retryAfterSeconds
  return {
    status: entry.status,
    body: { error: entry.text, code, ...(entry.requiresAuth && { requiresAuth: true }) },
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  }
}

/** The text says what is wrong with the amount of this request. */
export function refuseAmount(endpoint: Pick<Endpoint, 'errors'>): Answer {
  const { body, ...answer } = refuse(endpoint, 'INVALID_AMOUNT')
  const error =
    'Invalid amount. The field amount must be positive and at most 999999999.99: a decimal number or string with at most 2 decimals and no exponent, such as 19.99. Amounts are never rounded.'
  return { ...answer, body: { ...body, error, field: 'amount' } }
}

function isPlain(type: Type): boolean {
  return type === 'debit' || type === 'credit'
}

/** The decision may be about a request to another endpoint. */
export function showDecided(type: Type, decision: Decision): Answer {
  const fits = isPlain(type) ? isPlain(decision.type) : type === decision.type
  if (!fits) return refuse(ENDPOINTS[type], 'REFERENCE_MISMATCH')
  if (decision.refusal) return refuse(ENDPOINTS[type], decision.refusal)
  return { status: 200, body: showPosted(decision) }
}

function showPosted(decision: Decision): Answer['body'] {
  const { type, app, entry, isBalanceHidden, seconds } = decision
  if (entry === undefined) throw new Error('a posted decision has an entry')
  const amount = toMajor(decision.amount)
  const left = toMajor(decision.left)
  const released = toMajor(decision.released)
  const expiresAt = { ...timeOf(entry), plusMs: 1000 * seconds }
  const own: Record<Type, object> = {
    debit: { message: 'Debit completed.' },
    credit: { message: 'Credit completed.' },
    refund: { message: 'Refund completed.', refunded: amount, refundable: left },
    hold: { message: 'Hold placed.', held: amount, expiresAt },
    capture: { message: 'Capture completed.', captured: amount, released, held: left },
    release: { message: 'Hold released.', released, held: left },
  }
  const balance = isBalanceHidden ? null : toMajor(decision.balance)
  return { balance, currency: CURRENCY, transactionId: idOf(entry, app), ...own[type] }
}

/** The answer to a request that repeats the reference of a decision. */
export function showRepeat(type: Type, known: Decision, differs: readonly string[]): Answer {
  if (differs.length === 0) return { ...showDecided(type, known), replayed: true }
  const marks = { replayed: true as const, mismatch: differs.join(', ') }
  if (known.app.onMismatch === 'replay') return { ...showDecided(type, known), ...marks }
  const { status, body } = refuse(ENDPOINTS[type], 'REFERENCE_MISMATCH')
  const first = showDecided(known.type, known)
  const original = { status: first.status, type: known.type, ...first.body }
  const error = `${body['error'] as string} It differs in: ${differs.join(', ')}.`
  return { status, body: { ...body, error, original }, ...marks }
}
