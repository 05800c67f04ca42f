import type { Refusal, NoResponse } from '../../ui/request.ts'
import type { Explanation } from '../../ui/use-form.ts'
import { explainRefusal, errorMessages } from '../explain-refusal.ts'

const REFUSAL_MESSAGES: Record<string, string> = {
  INSUFFICIENT_BALANCE: 'The balance is lower than that, so nothing was taken.',
  BALANCE_LIMIT: 'The wallet cannot hold that much, so nothing was posted.',
  WALLET_CLOSED: 'The person has deleted the account, so nothing was posted.',
  NOT_FOUND: 'This person no longer exists, so nothing was posted.',
  HOLD_CLOSED: 'The hold has ended already, so nothing was released. Reload the page.',
  HOLD_EXPIRED: 'The time of the hold was over, so its money is back in the wallet.',
}

/** Whether the operation may have been executed anyway. */
export function isUnknown(result: Refusal | NoResponse): boolean {
  return result.offline || result.status >= 500
}

export function explainGrant(result: Refusal | NoResponse): Explanation {
  if (result.offline || isUnknown(result))
    return {
      errors: {
        form: 'It is not known yet whether this was posted. Try again: it cannot be posted twice. If you leave this page, it is completed automatically within an hour, so check the history before you repeat it.',
      },
    }
  if (result.code === 'INVALID_AMOUNT')
    return { errors: { amount: errorMessages.errors.INVALID_AMOUNT } }
  if (result.code === 'INVALID_REQUEST' && result.field === 'id') {
    return {
      errors: {
        form: 'This debit was already refunded, with another amount or reason or by another operator. To refund more, correct the balance.',
      },
    }
  }
  const text = result.code && REFUSAL_MESSAGES[result.code]
  return text ? { errors: { form: text } } : explainRefusal(result)
}
