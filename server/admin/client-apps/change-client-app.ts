import type { changeClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import { changeCreditLimit, readCreditLimit } from '../../ledger/change-credit-limit.ts'
import { ServiceError } from '../../service-error.ts'
import { readAmountOrZero } from '../../read-amount.ts'
import type { AdminCall } from '../access.ts'
import { describeChanges, splitSettings, type AppChange, type AppSettings } from '../app-change.ts'
import { LOCK_PARENTS, setAppSettings, type LockedApp } from '../app-change-queries.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { proposeAppChange } from '../propose-app-change.ts'
import { IN_EFFECT, raiseNeedsSecond, raiseOrPropose, type LimitOutcome } from '../propose-limit.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { readSettings, refuseTakenParents } from './check-settings.ts'
import { requireApp } from './require-app.ts'

type Tools = Pick<Context, 'db' | 'config' | 'mailer'>
type Caller = Pick<AdminCall, 'operator' | 'record'>
type Input = z.output<typeof endpoint.input>

interface Changed extends LimitOutcome {
  app: LockedApp
  changesWait: boolean
  /** For the contacts of the app. */
  news: string[]
}

type ChangedLimit = LimitOutcome & { isChanged?: boolean }

/** One transaction: if the app already owes more than the new limit, nothing changes. */
export async function changeClientApp(
  tools: Tools,
  call: Caller,
  input: Input,
): Promise<z.input<typeof endpoint.response>> {
  const settings = readSettings(input)
  const changed = await inTransaction(tools.db, (tx) => change(tx, tools, call, input, settings))
  const { app, news, ...outcome } = changed
  notifyContacts(tools, app, app.contactEmails, news)
  return outcome
}

async function change(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  input: Input,
  settings: AppSettings,
): Promise<Changed> {
  const { clientId, creditLimit, sharesParents } = input
  const { currency } = tools.config
  const limit =
    creditLimit === undefined ? undefined : readAmountOrZero('creditLimit', creditLimit, currency)
  await run(tx, LOCK_GRANTS)
  await run(tx, LOCK_PARENTS)
  const app = await requireApp(tx, clientId)
  const parents = sharesParents ? [] : settings.allowedIframeParents
  if (app.isActive) await refuseTakenParents(tx, parents, clientId)
  const { contactEmails = app.contactEmails, onMismatch = app.onMismatch } = input
  const { getsBalanceEvents = app.getsBalanceEvents } = input
  const wanted = { ...settings, onMismatch, getsBalanceEvents, contactEmails }
  const { now, later } = app.isInUse ? splitSettings(app, wanted) : { now: wanted }
  await run(tx, setAppSettings(clientId, now))
  const audited = { before: settingsOf(app), after: now }
  await call.record(tx, { action: 'client_app.change', subject: clientId, ...audited })
  const waiting: AppChange | undefined = later && {
    ...later,
    ...(sharesParents && later.allowedIframeParents && { sharesParents }),
  }
  const approvers = waiting ? await proposeAppChange(tx, call, app, waiting) : []
  const outcome: ChangedLimit =
    limit === undefined ? IN_EFFECT : await changeLimit(tx, tools, call, app, limit)
  const isNewLimit = limit !== undefined && outcome.isChanged
  const news = describeChanges(app, now)
  if (isNewLimit) news.push(`New credit limit: ${formatAmount(limit, currency)}`)
  return {
    app,
    news,
    creditLimitWaits: outcome.creditLimitWaits,
    changesWait: later !== undefined,
    approvers: [...new Set([...approvers, ...outcome.approvers])],
  }
}

/** A lower limit takes effect immediately; a higher one may have to wait for a second operator. */
async function changeLimit(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  { id, clientId, ledgerAccount }: LockedApp,
  to: bigint,
): Promise<ChangedLimit> {
  const from = await readCreditLimit(tx, ledgerAccount)
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
    const outcome = await raiseOrPropose(tx, tools, call, { id, clientId, ledgerAccount }, raise)
    return { ...outcome, isChanged: !needsSecond }
  }
  const isSet = await changeCreditLimit(tx, ledgerAccount, { from, to })
  if (!isSet) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
  return { ...IN_EFFECT, isChanged: true }
}

function settingsOf(app: LockedApp): AppSettings {
  const { name, scopes, allowedOrigins, allowedIframeParents, accentColor } = app
  const { onMismatch, getsBalanceEvents, contactEmails } = app
  const origins = { allowedOrigins, allowedIframeParents }
  return { name, scopes, ...origins, accentColor, onMismatch, getsBalanceEvents, contactEmails }
}
