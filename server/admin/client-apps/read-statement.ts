import type { readStatement as endpoint } from '@coffer/contract/admin/client-apps'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import { summarize, type StatementPeriod } from '../../books/read-statement.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import { findApp, type AppRow } from './queries.ts'

const DAYS_MAX = 366
const DAY_MS = 24 * 60 * 60 * 1000

type Asked = z.output<typeof endpoint.input>

/** Refuses days in the wrong order, and an app that is not there. */
export async function findPeriod(
  { db }: Pick<Context, 'db'>,
  { clientId, from, to }: Asked,
): Promise<StatementPeriod> {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  if (days < 0 || days > DAYS_MAX) throw new ServiceError('INVALID_REQUEST', 'to')
  const [app] = (await db.query<AppRow>(findApp(clientId))).rows
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  return { account: Number(app.account_id), from, to }
}

export async function readStatement(
  context: Pick<Context, 'db' | 'config'>,
  asked: Asked,
): Promise<z.output<typeof endpoint.answer>> {
  const { currency } = context.config
  const summary = await summarize(context.db, await findPeriod(context, asked))
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
