/** The words for what our service or the processor refused. */
import type { StripeError } from '@stripe/stripe-js'
import type { Refusal, Unanswered } from '../../ui/request.ts'
import type { Explanation } from '../../ui/use-form.ts'
import type { Messages } from '../messages-en.ts'
import type { TopupMessages } from './messages-en.ts'

/** Nothing was charged: there was no payment yet. */
export function explainRefusal(
  result: Refusal | Unanswered,
  words: Messages,
  texts: TopupMessages,
  refusedAmount: string,
): Explanation {
  if (result.offline) return { faults: { form: texts.trouble.unanswered } }
  const { status, code, retryAfterSeconds } = result
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
    return { faults: { form: words.rateLimited(seconds) }, forgetAfterSeconds: seconds }
  }
  if (code === 'INVALID_AMOUNT') return { faults: { amount: refusedAmount } }
  return { faults: { form: status === 502 ? texts.trouble.providerDown : words.unforeseen } }
}

const NAMED = ['insufficient_funds', 'expired_card', 'incorrect_cvc', 'processing_error'] as const

/** Banks do not want it told that a card is reported as lost or stolen. */
const UNSAID = ['generic_decline', 'lost_card', 'stolen_card', 'pickup_card', 'fraudulent']

type Decline = Pick<StripeError, 'type' | 'code' | 'decline_code' | 'message'>

export function explainDecline(error: Decline, { declined }: TopupMessages): string {
  const { type, code = '', decline_code: reason = '' } = error
  if (code === 'payment_intent_authentication_failure') return declined.authentication
  const named = NAMED.find((name) => name === reason || name === code)
  if (named) return declined[named]
  if (type !== 'card_error') return declined.unforeseen
  return (!UNSAID.includes(reason) && error.message) || declined.generic
}
