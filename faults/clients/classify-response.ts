/** Classifies a response of the service or of the balancer. */
import type { ServiceResponse } from './send-request.ts'
import { hasTarget, isMove, type Verb } from './verbs.ts'

/**
 * posted, refused  the pair is decided
 * undecided        a lookup that found nothing
 * read             a balance or a history
 * unknown          the outcome is not known: no response, or the service or the balancer was not available
 * failed           an unexpected error (500); only for operations that fail on purpose
 * wrong            a response that the contract does not list here
 */
export type Meaning = 'posted' | 'refused' | 'undecided' | 'read' | 'unknown' | 'failed' | 'wrong'

export interface ClassifiedResponse {
  meaning: Meaning
  /** The body without figures that differ between responses. */
  shapeText: string
  code: string
  /** −1: the response contains no balance. */
  balanceMinor: number
  /** −1: the response says nothing about what is left of a debit. */
  refundableMinor: number
  /** The first 32 bits of the transaction id; 0: the response contains none. */
  transaction: number
}

/** Recorded once and returned unchanged forever. */
const REFUSALS = new Set([
  '400 INSUFFICIENT_BALANCE',
  '400 BALANCE_LIMIT',
  '403 WALLET_INACTIVE',
  '403 CREDIT_LIMIT_EXCEEDED',
  '403 SPEND_LIMIT_EXCEEDED',
  '409 REFUND_EXCEEDS_DEBIT',
  '409 CAPTURE_EXCEEDS_HOLD',
  '409 HOLD_CLOSED',
])
const NOT_NOW = new Set([
  '429 RATE_LIMITED',
  '503 SERVICE_UNAVAILABLE',
  '503 OUTCOME_UNKNOWN',
  // Of an operation in a batch.
  '503 EARLIER_OPERATION_FAILED',
])
const TRANSACTION = /,"transactionId":"txn_([0-9a-f]{8})[0-9a-f]{24}"/
const BALANCE = /"balance":(\d+)(?:\.(\d{1,2}))?(?=[,}])/
const REFUNDABLE = /"refundable":(\d+)(?:\.(\d{1,2}))?(?=[,}])/
const REFUNDED = /"refunded":[\d.]+,/
/** Of holds, captures and releases. */
const HOLD_FIGURES = /"(?:held|captured|released)":[\d.]+,?|"expiresAt":"[^"]+",?/g

export function classifyResponse(verb: Verb, response: ServiceResponse): ClassifiedResponse {
  const { status, text } = response
  const balanceMinor = readAmount(BALANCE, text)
  const refundableMinor = readAmount(REFUNDABLE, text)
  const transaction = Number.parseInt(TRANSACTION.exec(text)?.[1] ?? '0', 16)
  if (status === 200) {
    return { ...readSuccess(verb, text), balanceMinor, refundableMinor, transaction }
  }
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? ''
  return {
    meaning: readRefusal(verb, response, `${status} ${code}`),
    shapeText: text,
    code,
    balanceMinor,
    refundableMinor,
    transaction,
  }
}

function readSuccess(
  verb: Verb,
  text: string,
): Omit<ClassifiedResponse, 'balanceMinor' | 'refundableMinor' | 'transaction'> {
  if (isMove(verb)) {
    const isSound = BALANCE.test(text) && text.includes('"message":"')
    const shapeText = text
      .replace(BALANCE, '"balance":#')
      .replace(TRANSACTION, '')
      .replace(REFUNDED, '')
      .replace(REFUNDABLE, '')
      .replace(HOLD_FIGURES, '')
    return { meaning: isSound ? 'posted' : 'wrong', shapeText, code: '' }
  }
  if (verb !== 'lookup') {
    return { meaning: BALANCE.test(text) ? 'read' : 'wrong', shapeText: '', code: '' }
  }
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? ''
  const meaning = /"status":"(posted|refused)"/.exec(text)?.[1] as 'posted' | 'refused' | undefined
  return { meaning: meaning ?? 'wrong', shapeText: `${meaning} ${code}`, code }
}

function readRefusal(verb: Verb, { status, isOurs }: ServiceResponse, name: string): Meaning {
  // Responses of the balancer itself: no service process was available, or the process ended during the request.
  if (!isOurs) return status === 502 || status === 503 || status === 504 ? 'unknown' : 'wrong'
  if (NOT_NOW.has(name)) return 'unknown'
  if (verb === 'lookup') return name === '404 OPERATION_NOT_FOUND' ? 'undecided' : 'wrong'
  // The operation that it names was sent at the same time and is not decided yet.
  if (hasTarget(verb) && name === '404 OPERATION_NOT_FOUND') return 'unknown'
  if (verb === 'balance' || verb === 'history') return 'wrong'
  if (status === 500) return 'failed'
  return REFUSALS.has(name) ? 'refused' : 'wrong'
}

function readAmount(pattern: RegExp, text: string): number {
  const match = pattern.exec(text)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : -1
}
