import type { Statement } from '../../database/statement.ts'
import { IN_USE } from '../app-change-queries.ts'

export interface FoundApp {
  id: bigint
  ledgerAccount: number
  clientId: string
  name: string
  contactEmails: string[]
  isInUse: boolean
}

interface FoundRow {
  id: bigint
  account_id: bigint
  client_id: string
  name: string
  contact_emails: string[]
  is_in_use: boolean
}

export function findByClientId(clientId: string): Statement<FoundApp> {
  return {
    text: `select a.id, a.account_id, a.client_id, a.name, a.contact_emails, ${IN_USE}
      from directory.client_apps a where a.client_id = $1`,
    values: [clientId],
    read: (row: FoundRow) => ({
      id: row.id,
      ledgerAccount: Number(row.account_id),
      clientId: row.client_id,
      name: row.name,
      contactEmails: row.contact_emails,
      isInUse: row.is_in_use,
    }),
  }
}
