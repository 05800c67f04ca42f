import type { Statement } from '../database/statement.ts'

export const READ_TRANSACTION_ID_KEY: Statement<string> = {
  text: 'select transaction_id_key as key from directory.deployment',
  read: (row: { key: string }) => row.key,
}
