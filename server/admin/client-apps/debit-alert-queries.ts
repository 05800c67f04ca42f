import type { Statement } from '../../database/statement.ts'

export interface DebitAlert {
  clientAppId: bigint
  hour: Date
  amountMinor: bigint
}

/**
 * Records the apps whose debits and holds exceed the alert threshold in this hour or the last one, each once per
 * hour: a hold blocks money as a debit does, and what is captured later was held before. Reads the totals of the books,
 * so that a debit does not have to count anything. They are a few seconds old.
 */
export const RECORD_DEBIT_ALERTS: Statement<DebitAlert> = {
  text: `insert into admin.debit_alerts (client_app_id, hour, amount)
    select a.id, h.hour, -sum(h.amount)::bigint
    from books.hours h join directory.client_apps a on a.account_id = h.account
    where h.kind::text in ('debit', 'hold') and h.hour > now() - interval '2 hours'
      and a.debit_alert_above is not null
    group by a.id, h.hour having -sum(h.amount) > a.debit_alert_above
    on conflict do nothing returning client_app_id, hour, amount`,
  read: (row: { client_app_id: bigint; hour: Date; amount: bigint }) => ({
    clientAppId: row.client_app_id,
    hour: row.hour,
    amountMinor: row.amount,
  }),
}

export interface AlertedApp {
  clientId: string
  name: string
  contactEmails: string[]
  /** null: there are no alerts. */
  debitAlertAbove: bigint | null
  pausesOnDebitAlert: boolean
  isPaused: boolean
}

interface AlertedRow {
  client_id: string
  name: string
  contact_emails: string[]
  debit_alert_above: bigint | null
  pauses_on_debit_alert: boolean
  is_paused: boolean
}

function lockAlertedBy(column: 'client_id' | 'id', value: string | bigint): Statement<AlertedApp> {
  return {
    text: `select client_id, name, contact_emails, debit_alert_above, pauses_on_debit_alert,
        paused_at is not null as is_paused
      from directory.client_apps where ${column} = $1 for update`,
    values: [value],
    read: (row: AlertedRow) => ({
      clientId: row.client_id,
      name: row.name,
      contactEmails: row.contact_emails,
      debitAlertAbove: row.debit_alert_above,
      pausesOnDebitAlert: row.pauses_on_debit_alert,
      isPaused: row.is_paused,
    }),
  }
}

export function lockAlertedApp(id: bigint): Statement<AlertedApp> {
  return lockAlertedBy('id', id)
}

export function lockDebitAlert(clientId: string): Statement<AlertedApp> {
  return lockAlertedBy('client_id', clientId)
}

export function setDebitAlertAbove(clientId: string, above: bigint | null, pauses: boolean) {
  return {
    text: `update directory.client_apps set debit_alert_above = $2, pauses_on_debit_alert = $3
      where client_id = $1`,
    values: [clientId, above, pauses],
  }
}

/** The operators who can do something about an alert. */
export const LIST_ALERTED_OPERATORS: Statement<string> = {
  text: `select email from admin.operators where is_active and role in ('owner', 'operator') order by id`,
  read: (row: { email: string }) => row.email,
}
