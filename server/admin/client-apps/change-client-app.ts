import type { changeClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { changeCreditLimit, readCreditLimit } from '../../ledger/change-credit-limit.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { IN_EFFECT, raiseNeedsSecond, raiseOrPropose, type LimitOutcome } from '../propose-limit.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { readLimit, readSettings, refuseTakenParents } from './check-settings.ts'
import {
  LOCK_PARENTS,
  lockApp,
  setAppSettings,
  type AppSettings,
  type LockedApp,
} from './queries.ts'

type Tools = Pick<Context, 'db' | 'config'>
type Caller = Pick<AdminCall, 'operator' | 'record'>

/** One transaction: if the app already owes more than the new limit, nothing changes. */
export async function changeClientApp(
  tools: Tools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<LimitOutcome> {
  const { db, config } = tools
  const { clientId, creditLimit } = input
  const checked = readSettings(input)
  const parents = input.sharesParents ? [] : checked.allowedIframeParents
  const limit = creditLimit === undefined ? undefined : readLimit(creditLimit, config.currency)
  return inTransaction(db, async (tx) => {
    await run(tx, LOCK_GRANTS)
    await run(tx, LOCK_PARENTS)
    const app = await one(tx, lockApp(clientId))
    if (app === undefined) throw new ServiceError('NOT_FOUND')
    if (app.isActive) await refuseTakenParents(tx, parents, clientId)
    const { requiresLinkProof = app.requiresLinkProof } = input
    const settings = { ...checked, requiresLinkProof }
    await run(tx, setAppSettings(clientId, settings))
    const change = { before: settingsOf(app), after: settings }
    await call.record(tx, { action: 'client_app.change', subject: clientId, ...change })
    return limit === undefined ? IN_EFFECT : changeLimit(tx, tools, call, app, limit)
  })
}

/** A lower limit takes effect immediately; a higher one may have to wait for a second operator. */
async function changeLimit(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  { id, clientId, account }: LockedApp,
  to: bigint,
): Promise<LimitOutcome> {
  const from = await readCreditLimit(tx, account)
  if (from === null) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  if (from === to) return IN_EFFECT
  const needsSecond = to > from && (await raiseNeedsSecond(tx, tools, call, { from, to }))
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
    return raiseOrPropose(tx, tools, call, { id, clientId, account }, raise)
  }
  const isSet = await changeCreditLimit(tx, account, { from, to })
  if (!isSet) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  return IN_EFFECT
}

function settingsOf(app: LockedApp): AppSettings {
  const { name, scopes, allowedOrigins, allowedIframeParents, accentColor } = app
  const { requiresLinkProof } = app
  return { name, scopes, allowedOrigins, allowedIframeParents, accentColor, requiresLinkProof }
}
