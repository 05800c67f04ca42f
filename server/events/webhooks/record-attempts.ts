/**
 * Records attempts. Those of many webhooks are recorded together, so that a busy service does not commit for each one.
 */
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, one, run } from '../../database/statement.ts'
import { webhookDisabled } from '../../mail/messages.ts'
import { addDisabledEvent } from '../outbox-queries.ts'
import {
  disableWebhooks,
  lockWebhooks,
  recordAttempts,
  type Recorded,
  returnLeases,
} from './delivery-queries.ts'
import { findNotified, type Notified } from './notify-queries.ts'
import type { Plan } from './plan-retry.ts'
import type { Attempt } from './send-request.ts'
import type { Context } from '../../context.ts'
import { prune } from '../../database/prune.ts'
import { OLD_DELIVERIES } from './listing-queries.ts'

/** What a process needs to deliver events. */
export type DeliveryTools = Pick<
  Context,
  'backgroundDb' | 'config' | 'transactionIds' | 'sender' | 'log' | 'metrics' | 'mailer'
>

/** How long attempts are collected. */
const COLLECT_MS = 50

export interface Outcome {
  eventId: string
  /** Since when the delivery was due. */
  dueAt: string
  attempt: Attempt
  plan: Plan
}

/** What a process did while it leased a webhook. */
export interface Work {
  id: string
  lease: string
  outcomes: readonly Outcome[]
}

export interface Recorder {
  /** Resolves once the work is recorded. */
  add(work: Work): Promise<void>
  end(): Promise<void>
}

export function createRecorder(tools: DeliveryTools): Recorder {
  let collected: Work[] = []
  let next: Promise<void> | undefined
  async function recordNext() {
    await sleep(COLLECT_MS)
    const works = collected
    collected = []
    next = undefined
    await record(tools, works)
  }
  return {
    add(work) {
      collected.push(work)
      next ??= recordNext()
      return next
    },
    async end() {
      await next
    },
  }
}

async function record(tools: DeliveryTools, works: readonly Work[]): Promise<void> {
  const disabled = await inTransaction(tools.backgroundDb, async (tx) => {
    const ids = works.map(({ id }) => id)
    await run(tx, lockWebhooks(ids))
    const attempts = works.flatMap(({ id, outcomes }) => outcomes.map((each) => toRow(id, each)))
    if (attempts.length > 0) await run(tx, recordAttempts(attempts))
    await run(tx, returnLeases(works.map(summarize)))
    return disable(tx, works)
  })
  for (const webhook of disabled) {
    for (const email of new Set(webhook.emails)) tools.mailer?.send(email, webhookDisabled(webhook))
  }
}

function toRow(webhookId: string, { eventId, dueAt, attempt, plan }: Outcome): Recorded {
  const { at, status, error, durationMs, response } = attempt
  return {
    webhookId,
    eventId,
    dueAt,
    isDelivered: plan.isDelivered,
    retryInSeconds: plan.retryInSeconds,
    attempt: JSON.stringify({ at, status, error, durationMs, response }),
  }
}

function summarize({ id, lease, outcomes }: Work) {
  const hasSucceeded = outcomes.length === 0 ? null : outcomes.some(({ plan }) => plan.isDelivered)
  return { id, lease, hasSucceeded }
}

/** The app learns about it from its feed, and the operators and the contacts of the app by email. */
async function disable(tx: pg.ClientBase, works: readonly Work[]): Promise<Notified[]> {
  const failed = works.filter(({ outcomes }) => outcomes.some(({ plan }) => !plan.isDelivered))
  if (failed.length === 0) return []
  const gone = failed.filter(({ outcomes }) => outcomes.some(({ plan }) => plan.isGone))
  const idsOf = (some: readonly Work[]) => some.map(({ id }) => id)
  const disabled = await many(tx, disableWebhooks(idsOf(failed), idsOf(gone)))
  const notified: Notified[] = []
  for (const { id } of disabled) {
    await run(tx, addDisabledEvent(id))
    const found = await one(tx, findNotified(id))
    if (found) notified.push(found)
  }
  return notified
}

export function pruneDeliveries(db: pg.Pool): Promise<number> {
  return prune(db, OLD_DELIVERIES)
}
