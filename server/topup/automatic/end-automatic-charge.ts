import { one, run } from '../../database/statement.ts'
import { accountUrl } from '../../identity/account-url.ts'
import { chooseMails } from '../../mail/choose-mails.ts'
import type { PaymentIntent } from '../../processor/stripe.ts'
import { endTopup, type Topup } from '../queries.ts'
import type { TopupTools } from '../topup-tools.ts'
import type { SuspensionReason } from '../../mail/messages-en.ts'
import { endFailed, findNoticeAddress } from './queries.ts'

/** Why the card was not charged; null: it was not tried. */
export function reasonOf({
  status,
  last_payment_error: error,
}: PaymentIntent): SuspensionReason | null {
  if (status === 'requires_action' || error?.code === 'authentication_required') {
    return 'authentication'
  }
  return error ? 'failures' : null
}

/** For a top-up that can no longer be paid. If this suspends the automatic top-up, the person gets one email. */
export async function endAutomaticCharge(
  tools: TopupTools,
  { id, userId }: Topup,
  reason: SuspensionReason | null,
): Promise<void> {
  const { db, config, mailer } = tools
  if (reason === null) {
    await run(db, endTopup(id))
    return
  }
  const suspendedFor = await one(db, endFailed(id, reason))
  if (!suspendedFor || mailer === undefined) return
  const found = await one(db, findNoticeAddress(userId))
  if (found === undefined) return
  const mails = chooseMails(found.language)
  mailer.send(found.email, mails.automaticTopupSuspended(suspendedFor, accountUrl(config)))
}
