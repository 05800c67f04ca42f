/** The messages for a refusal of our service or of the card processor. */
import type { StripeError } from '@stripe/stripe-js'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import type { Explanation } from '../../ui/use-form.ts'
import type { SharedMessages } from '../../ui/messages-en.ts'
import type { TopupMessages } from './messages-en.ts'

/** The messages that depend on the limits of this deployment. */
interface LimitMessages {
  refused: string
  /** For somebody who has reached the limit per day. */
  dayLimit: (waitSeconds: number) => string
}

/** Nothing was charged, because there is no payment yet. */
export function explainRefusal(
  result: Refusal | NoResponse,
  sharedMessages: Pick<SharedMessages, 'rateLimited' | 'unexpected'>,
  messages: TopupMessages,
  limits: LimitMessages,
): Explanation {
  if (result.offline) return { errors: { form: messages.problem.unanswered } }
  const { status, code, retryAfterSeconds } = result
  if (code === 'TOPUP_LIMIT_EXCEEDED') {
    return { errors: { amount: limits.dayLimit(retryAfterSeconds ?? 0) } }
  }
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
    return { errors: { form: sharedMessages.rateLimited(seconds) }, clearAfterSeconds: seconds }
  }
  if (code === 'INVALID_AMOUNT') return { errors: { amount: limits.refused } }
  return {
    errors: { form: status === 502 ? messages.problem.providerDown : sharedMessages.unexpected },
  }
}

const NAMED = ['insufficient_funds', 'expired_card', 'incorrect_cvc', 'processing_error'] as const

/** Banks do not want us to reveal that a card was reported as lost or stolen. */
const HIDDEN = ['generic_decline', 'lost_card', 'stolen_card', 'pickup_card', 'fraudulent']

type Decline = Pick<StripeError, 'type' | 'code' | 'decline_code' | 'message'>

export function explainDecline(error: Decline, { declined }: TopupMessages): string {
  const { type, code = '', decline_code: reason = '' } = error
  if (code === 'payment_intent_authentication_failure') return declined.authentication
  const named = NAMED.find((name) => name === reason || name === code)
  if (named) return declined[named]
  if (type !== 'card_error') return declined.unexpected
  return (!HIDDEN.includes(reason) && error.message) || declined.generic
}
