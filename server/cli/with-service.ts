import type pg from 'pg'
import { requireKeys } from '../admin/switches/require-keys.ts'
import { readConfig, type Config } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { Ledger } from '../ledger/ledger.ts'
import { requireCurrency } from '../require-currency.ts'
import { explainError } from './explain-error.ts'

export interface Tools {
  config: Config
  db: pg.Pool
  ledger: Ledger
  peppers: Config['peppers']
}

/** Opens the database and the ledger for a command, and closes them afterwards. */
export async function withService<Result>(
  work: (tools: Tools) => Promise<Result>,
): Promise<Result> {
  const config = readConfig()
  const db = createPool(config.databaseUrl, { size: 2, barrier: false })
  const { databaseUrl, requiresStandby } = config
  const ledger = new Ledger({ databaseUrl, requiresStandby })
  try {
    return await work({ config, db, ledger, peppers: config.peppers })
  } finally {
    await ledger.close()
    await db.end()
  }
}

/** For commands that read or print amounts: CURRENCY must be the currency of the database. */
export function withMoney<Result>(work: (tools: Tools) => Promise<Result>): Promise<Result> {
  return withService(async (tools) => {
    await requireCurrency(tools.db, tools.config.currency)
    return work(tools)
  })
}

/** For commands that hash or encrypt: the keys must be those of the database. */
export function withKeys<Result>(work: (tools: Tools) => Promise<Result>): Promise<Result> {
  return withService(async (tools) => {
    await requireKeys(tools.db, tools.config)
    return work(tools)
  })
}

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Tells `coffer check`, if it started this command, the result in one line. */
export async function summarize(summary: string): Promise<void> {
  if (process.send) await new Promise((resolve) => process.send?.({ summary }, resolve))
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Prints what happened and what to do. */
export function fail(error: unknown) {
  process.stderr.write(`${explainError(error)}\n`)
  process.exitCode = 1
}
