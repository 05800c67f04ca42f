/** Demo money is not backed by a payment. Only a database that was created as a demo may hold it. */
import { one, type Database, type Statement } from './statement.ts'

const READ_DEMO: Statement<{ isDemo: boolean }> = {
  text: 'select is_demo from ledger.demo',
  read: (row: { is_demo: boolean }) => ({ isDemo: row.is_demo }),
}

export async function isDemo(db: Database): Promise<boolean> {
  return (await one(db, READ_DEMO))?.isDemo ?? false
}

export async function requireDemo(db: Database): Promise<void> {
  if (await isDemo(db)) return
  throw new Error(
    'This database was not created as a demo, so it must not hold demo money.\n' +
      'Create an empty database and run coffer migrate --demo on it.',
  )
}
