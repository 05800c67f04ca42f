/**
 * The books hold integers, and the currency says what one unit is worth. It is recorded in the database, because a
 * process with another CURRENCY would read 38.00 USD as 3800 JPY.
 */
import type { Currency } from '@coffer/contract/money'
import pg from 'pg'
import { ConfigError, type Config } from './config.ts'
import { createPool } from './database/connect.ts'
import { inTransaction } from './database/in-transaction.ts'
import { one, run, type Database } from './database/statement.ts'
import { insertCurrency, READ_CURRENCY, WAIT_FOR_NO_STANDBY } from './ledger/currency-queries.ts'

const UNDEFINED_TABLE = '42P01'
const READ_ONLY = '25006'

/** Before any process is started, so that the operator sees one message and not one per process. */
export async function refuseOtherCurrency({ databaseUrl, currency }: Config): Promise<void> {
  const db = createPool(databaseUrl, { size: 1, barrier: false })
  try {
    await requireCurrency(db, currency)
  } finally {
    await db.end()
  }
}

/** Records the currency if the database has none yet. Throws a ConfigError if it has another one. */
export async function requireCurrency(db: pg.Pool, { code }: Currency): Promise<void> {
  if ((await readCurrency(db)) === undefined) await recordCurrency(db, code)
  await compareCurrency(db, code)
}

/** For commands that only read: compares with the recorded currency, if there is one. */
export async function compareCurrency(db: Database, code: string): Promise<void> {
  const recorded = await readCurrency(db)
  if (recorded === undefined || recorded === code) return
  throw new ConfigError(
    `${describeMismatch(recorded, code)}\n` +
      `Set CURRENCY=${recorded} and try again. For ${code}, use another database.`,
  )
}

export function describeMismatch(recorded: string, code: string): string {
  return `The amounts in this database are in ${recorded}, but CURRENCY is ${code}.`
}

/** undefined: none is recorded yet, or the schema is not there yet. */
export async function readCurrency(db: Database): Promise<string | undefined> {
  try {
    return await one(db, READ_CURRENCY)
  } catch (error) {
    if (hasCode(error, UNDEFINED_TABLE)) return undefined
    throw error
  }
}

async function recordCurrency(db: pg.Pool, code: string): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      await run(tx, WAIT_FOR_NO_STANDBY)
      await run(tx, insertCurrency(code))
    })
  } catch (error) {
    if (!hasCode(error, READ_ONLY)) throw error
    throw new ConfigError(
      'The database is read-only, so the currency could not be recorded.\n' +
        'Point DATABASE_URL at the primary and try again.',
      { cause: error },
    )
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code
}
