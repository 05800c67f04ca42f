import type { changeClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { changeCreditLimit, readCreditLimit } from '../../ledger/change-credit-limit.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import {
  LOCK_PARENTS,
  lockApp,
  setAppSettings,
  type AppSettings,
  type AppSettingsRow,
} from './queries.ts'
import { readLimit, readSettings, refuseTakenParents } from './check-settings.ts'
import { LOCK_GRANTS } from '../grants/queries.ts'
import { IN_EFFECT, weighRaise, writeRaise, type LimitOutcome } from '../propose-limit.ts'

type Tools = Pick<Context, 'db' | 'config'>
type Caller = Pick<AdminCall, 'operator' | 'record'>

/** One transaction: if what the app owes already refuses the limit, nothing is changed. */
export async function changeClientApp(
  tools: Tools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<LimitOutcome> {
  const { db, config } = tools
  const { clientId, creditLimit } = input
  const settings = readSettings(input)
  const parents = input.sharesParents ? [] : settings.allowedIframeParents
  const limit = creditLimit === undefined ? undefined : readLimit(creditLimit, config.currency)
  return inTransaction(db, async (tx) => {
    await tx.query(LOCK_GRANTS)
    await tx.query(LOCK_PARENTS)
    const [row] = (await tx.query<AppSettingsRow>(lockApp(clientId))).rows
    if (row === undefined) throw new ServiceError('NOT_FOUND')
    if (row.is_active) await refuseTakenParents(tx, parents, clientId)
    await tx.query(setAppSettings(clientId, settings))
    const change = { before: settingsOf(row), after: settings }
    await call.record(tx, { action: 'client_app.change', subject: clientId, ...change })
    return limit === undefined ? IN_EFFECT : changeLimit(tx, tools, call, row, limit)
  })
}

/** Lowering takes effect at once, whoever does it; raising may have to wait for a second operator. */
async function changeLimit(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  { id, client_id: clientId, account_id: accountId }: AppSettingsRow,
  to: bigint,
): Promise<LimitOutcome> {
  const account = Number(accountId)
  const from = await readCreditLimit(tx, account)
  if (from === null) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  if (from === to) return IN_EFFECT
  const needsSecond = to > from && (await weighRaise(tx, tools, call, { from, to }))
  if (!needsSecond) {
    const { currency } = tools.config
    await call.record(tx, {
      action: 'client_app.credit_limit',
      subject: clientId,
      before: { creditLimit: formatAmount(from, currency) },
      after: { creditLimit: formatAmount(to, currency) },
    })
  }
  if (to > from) {
    const raise = { from, to, needsSecond, reason: 'Change of the credit limit' }
    return writeRaise(tx, tools, call, { id, clientId, account }, raise)
  }
  const isSet = await changeCreditLimit(tx, account, { from, to })
  if (!isSet) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  return IN_EFFECT
}

function settingsOf(row: AppSettingsRow): AppSettings {
  return {
    name: row.name,
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    accentColor: row.accent_color,
  }
}
