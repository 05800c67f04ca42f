import { formatAmount } from '@coffer/contract/money'
import { one } from '../database/statement.ts'
import { accountUrl } from '../identity/account-url.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { fromStripeAmount, type PaymentIntent } from '../processor/stripe.ts'
import { findReceiptAddress, type Topup } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/**
 * At most one email per top-up: only the process that marks it as credited calls this. If that process stops before the
 * email is sent, there is none; the history has the top-up anyway.
 */
export async function sendReceipt(
  { db, config, mailer }: TopupTools,
  { userId }: Topup,
  intent: PaymentIntent,
): Promise<void> {
  if (mailer === undefined) return
  const found = await one(db, findReceiptAddress(userId))
  if (found === undefined) return
  const { currency } = config
  const paid = formatAmount(fromStripeAmount(intent.amount_received, currency), currency)
  const receipt = {
    amount: `${paid} ${currency.code}`,
    paidAt: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    paymentId: intent.id,
  }
  const mails = chooseMails(found.language)
  mailer.send(found.email, mails.topupReceipt(receipt, accountUrl(config)))
}
