import type { readStatement as endpoint } from '@coffer/contract/admin/client-app-statements'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import { summarize, type StatementPeriod } from '../../books/read-statement.ts'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { findApp } from './queries.ts'

const DAYS_MAX = 366
const DAY_MS = 24 * 60 * 60 * 1000

type Input = z.output<typeof endpoint.input>

/** Rejects days in the wrong order, too long a period, and an unknown app. */
export async function findPeriod(
  { db }: Pick<Context, 'db'>,
  { clientId, from, to }: Input,
): Promise<StatementPeriod> {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  if (days < 0 || days > DAYS_MAX) throw new ServiceError('INVALID_REQUEST', 'to')
  const app = await one(db, findApp(clientId))
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  return { account: app.ledgerAccount, from, to }
}

export async function readStatement(
  context: Pick<Context, 'db' | 'config'>,
  input: Input,
): Promise<z.output<typeof endpoint.response>> {
  const { currency } = context.config
  const summary = await summarize(context.db, await findPeriod(context, input))
  const showMovement = ({ count, amount }: { count: bigint; amount: bigint }) => ({
    count: Number(count),
    amount: toWireNumber(amount, currency),
  })
  return {
    currency: currency.code,
    opening: toWireNumber(summary.opening, currency),
    debits: showMovement(summary.debits),
    credits: showMovement(summary.credits),
    closing: toWireNumber(summary.closing, currency),
    until: summary.end.toISOString(),
  }
}
