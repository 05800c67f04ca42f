import type { Statement } from '../../database/statement.ts'

export interface FoundApp {
  id: bigint
  account: number
  clientId: string
  name: string
  contactEmails: string[]
}

interface FoundRow {
  id: bigint
  account_id: bigint
  client_id: string
  name: string
  contact_emails: string[]
}

export function findByClientId(clientId: string): Statement<FoundApp> {
  return {
    text: `select id, account_id, client_id, name, contact_emails
      from directory.client_apps where client_id = $1`,
    values: [clientId],
    read: (row: FoundRow) => ({
      id: row.id,
      account: Number(row.account_id),
      clientId: row.client_id,
      name: row.name,
      contactEmails: row.contact_emails,
    }),
  }
}
