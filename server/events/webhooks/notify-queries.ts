import type { Statement } from '../../database/statement.ts'

/** Who learns that a webhook was disabled. */
export interface Notified {
  name: string
  clientId: string
  url: string
  reason: string
  /** Of the operators who can do something about it, and of the contacts of the app. */
  emails: string[]
}

interface NotifiedRow {
  name: string
  client_id: string
  url: string
  disabled_reason: string
  emails: string[]
}

export function findNotified(id: string): Statement<Notified> {
  return {
    text: `select a.name, a.client_id, w.url, w.disabled_reason,
        a.contact_emails || array(select email from admin.operators
          where is_active and role in ('owner', 'operator') order by id) as emails
      from events.webhooks w join directory.client_apps a on a.id = w.client_app_id where w.id = $1`,
    values: [id],
    read: (row: NotifiedRow) => ({
      name: row.name,
      clientId: row.client_id,
      url: row.url,
      reason: row.disabled_reason,
      emails: row.emails,
    }),
  }
}

export interface Contacts {
  name: string
  clientId: string
  emails: string[]
}

export function findContacts(clientAppId: bigint): Statement<Contacts> {
  return {
    text: 'select name, client_id, contact_emails from directory.client_apps where id = $1',
    values: [clientAppId],
    read: (row: { name: string; client_id: string; contact_emails: string[] }) => ({
      name: row.name,
      clientId: row.client_id,
      emails: row.contact_emails,
    }),
  }
}
