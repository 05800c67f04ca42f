import type { changeClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { formatAmount } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import {
  findApp,
  LOCK_PARENTS,
  lockApp,
  setAppSettings,
  type AppRow,
  type AppSettings,
  type AppSettingsRow,
} from './queries.ts'
import { readLimit, readSettings, refuseTakenParents } from './check-settings.ts'

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type Recording = Pick<AdminCall, 'record'>

/** The limit first: it can be refused by what the app owes already, and then nothing is changed. */
export async function changeClientApp(
  tools: Tools,
  { record }: Recording,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const { db } = tools
  const { clientId, creditLimit } = input
  const settings = readSettings(input)
  const parents = input.sharesParents ? [] : settings.allowedIframeParents
  const [app] = (await db.query<AppRow>(findApp(clientId))).rows
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  if (app.is_active) await refuseTakenParents(db, parents, clientId)
  if (creditLimit !== undefined) await changeLimit(tools, { record }, app, creditLimit)
  await inTransaction(db, async (tx) => {
    await tx.query(LOCK_PARENTS)
    const [row] = (await tx.query<AppSettingsRow>(lockApp(clientId))).rows
    if (row === undefined) throw new ServiceError('NOT_FOUND')
    if (row.is_active) await refuseTakenParents(tx, parents, clientId)
    await tx.query(setAppSettings(clientId, settings))
    const change = { before: settingsOf(row), after: settings }
    await record(tx, { action: 'client_app.change', subject: clientId, ...change })
  })
}

/** The books have transactions of their own, so the entry follows right after. */
async function changeLimit(
  { db, ledger, config }: Tools,
  { record }: Recording,
  app: AppRow,
  text: string,
): Promise<void> {
  const { currency } = config
  const limit = readLimit(text, currency)
  const account = Number(app.account_id)
  const before = (await ledger.readAccount(account))?.creditLimit
  if (before === limit) return
  const isSet = await ledger.setCreditLimit(account, limit)
  if (!isSet || before === null || before === undefined) {
    throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  }
  await record(db, {
    action: 'client_app.credit_limit',
    subject: app.client_id,
    before: { creditLimit: formatAmount(before, currency) },
    after: { creditLimit: formatAmount(limit, currency) },
  })
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
