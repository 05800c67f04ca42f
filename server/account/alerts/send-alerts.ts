/**
 * Sends the queued alert emails. Before a process sends one, it claims the alert of the person for ten minutes; after
 * sending, it deletes the rows that the email covered. So two processes do not send the same email, no email is lost if
 * a process stops, and nobody gets more than six of a kind per hour: the next email covers what happened in between.
 */
import { formatAmount } from '@coffer/contract/money'
import type { Context } from '../../context.ts'
import { prune } from '../../database/prune.ts'
import { type PeriodicJob, runPeriodically } from '../../database/run-periodically.ts'
import { many, one, run } from '../../database/statement.ts'
import { accountUrl } from '../../identity/account-url.ts'
import { chooseMails } from '../../mail/choose-mails.ts'
import type { Mail } from '../../mail/messages.ts'
import type { Mailer } from '../../mail/create-mailer.ts'
import {
  claimAlerts,
  deleteDueEmails,
  type DueAlert,
  type DueEmail,
  EXPIRED_ALERT_EMAILS,
  listPayments,
  readDueEmail,
} from './queries.ts'

export type AlertTools = Pick<Context, 'backgroundDb' | 'log' | 'config'> & { mailer: Mailer }

const TICK_MS = 1_000
const BATCH_SIZE = 10
const INTERVAL_MINUTES = 10
/** How many payments one email describes. */
const LISTED_MAX = 10

export function startAlertSender(tools: AlertTools): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'send-alerts',
    work: () => sendAlerts(tools),
  })
}

/** Sends everything that is due. */
export async function sendAlerts(tools: Omit<AlertTools, 'log'>): Promise<void> {
  let claimed
  do {
    claimed = await many(tools.backgroundDb, claimAlerts(BATCH_SIZE, INTERVAL_MINUTES))
    await Promise.all(claimed.map((alert) => sendAlert(tools, alert)))
  } while (claimed.length === BATCH_SIZE)
}

/** What the mail server does not accept stays, and is sent when the ten minutes are over. */
async function sendAlert(tools: Omit<AlertTools, 'log'>, alert: DueAlert): Promise<void> {
  const { backgroundDb: db, mailer } = tools
  const due = await one(db, readDueEmail(alert))
  if (due === undefined) return
  const mail = due.isVerified ? await writeMail(tools, alert, due) : undefined
  const isDone = mail === undefined || (await mailer.deliver(due.email, mail))
  if (isDone) await run(db, deleteDueEmails(alert, due.upToSeq))
}

/** undefined: there is nothing to report anymore. */
async function writeMail(
  { backgroundDb: db, config }: Pick<AlertTools, 'backgroundDb' | 'config'>,
  { userId, kind }: DueAlert,
  { language, balanceMinor, thresholdMinor, upToSeq, count }: DueEmail,
): Promise<Mail | undefined> {
  const { currency } = config
  const mails = chooseMails(language)
  const show = (amount: bigint) => `${formatAmount(amount, currency)} ${currency.code}`
  if (kind === 'balance') {
    const balance = { balance: show(balanceMinor), threshold: show(thresholdMinor) }
    return balanceMinor < thresholdMinor ? mails.lowBalance(balance, accountUrl(config)) : undefined
  }
  const found = await many(db, listPayments(userId, upToSeq, LISTED_MAX))
  const payments = found.map(({ app, amountMinor, paidAt, description }) => ({
    app,
    amount: show(amountMinor),
    paidAt: `${paidAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    description,
  }))
  if (payments.length === 0) return undefined
  return mails.largePayments(payments, count - payments.length, accountUrl(config))
}

export function pruneAlertEmails({ db }: Pick<Context, 'db'>): Promise<number> {
  return prune(db, EXPIRED_ALERT_EMAILS)
}
