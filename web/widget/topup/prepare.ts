import type { Result } from '../../ui/request.ts'
import { isStarted, type StartedPayment } from './address.ts'
import type { TopupCalls } from './calls.ts'
import type { TopupFlow } from './flow.ts'

const NOT_SENT = { ok: false, offline: true } as const

/** Reuses the payment that was started for this amount and card, because the number of payments is limited. */
export async function preparePayment(
  { payment, show }: Pick<TopupFlow, 'payment' | 'show'>,
  calls: TopupCalls | undefined,
  amount: string,
): Promise<Result<StartedPayment>> {
  const choice = calls?.readChoice()
  const isSame = payment?.amount === amount && payment.choice?.cardId === choice?.cardId
  if (isStarted(payment) && isSame && payment.choice?.saveCard === choice?.saveCard) {
    return { ok: true, data: payment }
  }
  const result = await (calls?.createIntent(amount) ?? NOT_SENT)
  if (result.ok) {
    const { clientSecret, publishableKey, user: owner } = result.data
    return {
      ok: true,
      data: { clientSecret, publishableKey, amount, owner, ...(choice && { choice }) },
    }
  }
  if (!result.offline && result.status === 401) show({ name: 'ended', reason: 'session_expired' })
  if (!result.offline && result.code === 'WALLET_INACTIVE') show({ name: 'frozen' })
  return result
}
