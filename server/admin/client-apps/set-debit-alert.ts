import type { setDebitAlert as endpoint } from '@coffer/contract/admin/client-app-alerts'
import { formatAmount } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { readAmount } from '../../read-amount.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { lockDebitAlert, setDebitAlertAbove } from './debit-alert-queries.ts'

/** Sets the amount of debits in one hour above which there is an alert, and whether the alert pauses the app. */
export async function setDebitAlert(
  tools: Pick<Context, 'db' | 'config' | 'mailer'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId, above, pauses }: z.output<typeof endpoint.input>,
): Promise<void> {
  const { currency } = tools.config
  const aboveMinor = above === null ? null : readAmount('above', above, currency)
  const show = (amount: bigint | null) => (amount === null ? null : formatAmount(amount, currency))
  const app = await inTransaction(tools.db, async (tx) => {
    const known = await one(tx, lockDebitAlert(clientId))
    if (known === undefined) throw new ServiceError('NOT_FOUND')
    await run(tx, setDebitAlertAbove(clientId, aboveMinor, pauses))
    const before = { above: show(known.debitAlertAbove), pauses: known.pausesOnDebitAlert }
    const after = { above: show(aboveMinor), pauses }
    await record(tx, { action: 'client_app.debit_alert', subject: clientId, before, after })
    return known
  })
  const isChanged = app.debitAlertAbove !== aboveMinor || app.pausesOnDebitAlert !== pauses
  if (!isChanged) return
  const alert = aboveMinor === null ? 'none' : `above ${show(aboveMinor)} in one hour`
  const news = `Alert about debits: ${alert}${pauses ? ', which also pauses the app' : ''}`
  notifyContacts(tools, app, app.contactEmails, [news])
}
