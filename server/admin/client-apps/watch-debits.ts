/**
 * Compares the debits of each client app in one hour with the amount that an operator chose. A leaked secret can debit
 * every linked wallet; somebody must notice it within minutes. No debit is refused because of an alert, unless the
 * operator chose that an alert pauses the app.
 */
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { runPeriodically, type PeriodicJob } from '../../database/run-periodically.ts'
import { many, one, run } from '../../database/statement.ts'
import { debitAlert } from '../../mail/messages.ts'
import { setAppPause } from '../app-pause-queries.ts'
import { recordAction } from '../record-action.ts'
import {
  LIST_ALERTED_OPERATORS,
  lockAlertedApp,
  RECORD_DEBIT_ALERTS,
  type AlertedApp,
  type DebitAlert,
} from './debit-alert-queries.ts'

const TICK_MS = 10_000

type Tools = Pick<Context, 'backgroundDb' | 'config' | 'log' | 'metrics' | 'mailer'>

interface Alerted {
  app: AlertedApp
  alert: DebitAlert
  pausesNow: boolean
}

export function startDebitWatch(tools: Tools): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'watch-debits',
    work: () => watchDebits(tools),
  })
}

export async function watchDebits(tools: Tools): Promise<void> {
  const alerted = await inTransaction(tools.backgroundDb, (tx) => recordAlerts(tools, tx))
  if (alerted.length === 0) return
  const operators = await many(tools.backgroundDb, LIST_ALERTED_OPERATORS)
  for (const each of alerted) notify(tools, each, operators)
}

/** The pause and the audit entry belong to the alert: all are recorded, or none. */
async function recordAlerts({ config }: Tools, tx: pg.ClientBase): Promise<Alerted[]> {
  const alerted: Alerted[] = []
  for (const alert of await many(tx, RECORD_DEBIT_ALERTS)) {
    const app = await one(tx, lockAlertedApp(alert.clientAppId))
    if (app === undefined) continue
    const pausesNow = app.pausesOnDebitAlert && !app.isPaused
    const amount = formatAmount(alert.amountMinor, config.currency)
    if (pausesNow) {
      const reason = `Debits of ${amount} ${config.currency.code} in one hour exceed the alert threshold.`
      await run(tx, setAppPause(app.clientId, { by: ACTOR.actor, reason }))
    }
    const after = { hour: alert.hour, amount, isPaused: app.isPaused || pausesNow }
    const action = { action: 'client_app.debit_alerted', subject: app.clientId, after }
    await recordAction(tx, ACTOR, action)
    alerted.push({ app, alert, pausesNow })
  }
  return alerted
}

const ACTOR = { actor: 'service', actorId: null, address: null }

function notify(
  { log, metrics, mailer, config }: Tools,
  { app, alert, pausesNow }: Alerted,
  operators: readonly string[],
) {
  const { clientId, contactEmails } = app
  const { hour, amountMinor } = alert
  metrics.countDebitAlert()
  log.warn(
    { clientId, hour, amountMinor: String(amountMinor), pausesNow },
    'the debits of a client app in one hour exceed the alert threshold',
  )
  const amount = `${formatAmount(amountMinor, config.currency)} ${config.currency.code}`
  const mail = debitAlert(app, { amount, hour: hour.toISOString(), isPaused: pausesNow })
  for (const email of new Set([...operators, ...contactEmails])) mailer?.send(email, mail)
}
