/**
 * Sends events to webhooks. Every process does it: it leases webhooks that have something to send, sends, and records
 * the attempts. If a process stops, its leases end and another process sends the same events again, with the same ids.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { many, one } from '../../database/statement.ts'
import { readDurably } from '../../ledger/read/read-durably.ts'
import { type PeriodicJob, runPeriodically } from '../../database/run-periodically.ts'
import {
  type DueDelivery,
  type LeasedWebhook,
  leaseWebhooks,
  listDue,
  READ_DUE,
} from './delivery-queries.ts'
import { planRetry } from './plan-retry.ts'
import { createRecorder, type DeliveryTools as Tools, type Outcome } from './record-attempts.ts'
import { openSecrets } from './seal-secret.ts'
import { showBody } from './show-body.ts'
import { signRequest } from './sign-request.ts'

const NAME = 'deliver-events'
const TICK_MS = 250
/** How many webhooks a process sends to at once, and how many of them may be failing ones. */
const PLACES = 400
const PLACES_OF_FAILING = 200
export const TIMEOUT_MS = 15_000
/** How long a process that stops waits for responses. */
const STOP_MS = 3_000

export function startDeliverer(tools: Tools): PeriodicJob {
  const stopping = new AbortController()
  const recorder = createRecorder(tools)
  const busy = new Map<string, Promise<void>>()
  const failing = new Set<string>()

  async function deliver() {
    const db = tools.backgroundDb
    const state = await one(db, READ_DUE)
    tools.metrics.setWebhookDelay(state?.delaySeconds ?? 0)
    if (busy.size >= PLACES || state?.hasDue !== true) return
    const lease = randomUUID()
    const places = { healthy: PLACES - busy.size, failing: PLACES_OF_FAILING - failing.size }
    const { webhooks, due } = await leaseDue(tools, lease, places)
    const dueOf = Map.groupBy(due, ({ webhookId }) => webhookId)
    for (const webhook of webhooks) {
      const mine = dueOf.get(webhook.id) ?? []
      if (webhook.isFailing) failing.add(webhook.id)
      const work = sendAll(tools, webhook, mine, stopping.signal)
        .then((outcomes) => recorder.add({ id: webhook.id, lease, outcomes }))
        // Its lease ends by itself, and the other webhooks are not affected.
        .catch((error: unknown) =>
          tools.log.warn(
            { err: error, webhookId: webhook.id },
            `${NAME} failed; it runs again shortly`,
          ),
        )
        .finally(() => {
          busy.delete(webhook.id)
          failing.delete(webhook.id)
        })
      busy.set(webhook.id, work)
    }
  }

  const rounds = runPeriodically(tools, {
    everyMs: TICK_MS,
    name: NAME,
    startsNow: true,
    work: deliver,
  })
  return {
    async stop() {
      await rounds.stop()
      await Promise.race([Promise.all(busy.values()), sleep(STOP_MS, undefined, { ref: false })])
      stopping.abort()
      await Promise.all(busy.values())
      await recorder.end()
      tools.sender.close()
    },
  }
}

/** Only what the standby has is sent: after a failover, an event that was sent still exists and keeps its number. */
function leaseDue(
  { backgroundDb, config }: Tools,
  lease: string,
  places: { healthy: number; failing: number },
) {
  return readDurably(backgroundDb, config.requiresStandby, async (tx) => {
    const webhooks = await many(tx, leaseWebhooks(lease, false, places.healthy))
    const most = Math.min(places.failing, places.healthy - webhooks.length)
    if (most > 0) webhooks.push(...(await many(tx, leaseWebhooks(lease, true, most))))
    return { webhooks, due: webhooks.length === 0 ? [] : await many(tx, listDue(webhooks)) }
  })
}

/** One request per event, all at once. What is aborted because the process stops is not recorded. */
async function sendAll(
  tools: Tools,
  webhook: LeasedWebhook,
  due: readonly DueDelivery[],
  stop: AbortSignal,
): Promise<Outcome[]> {
  const secrets = openSecrets(tools.config.peppers, webhook.id, webhook.secrets)
  const outcomes = await Promise.all(
    due.map(async ({ event, failures, dueAt }): Promise<Outcome | undefined> => {
      const { id, body } = showBody(tools, webhook.ledgerAccount, event)
      const headers = signRequest({ id, body, at: new Date() }, secrets)
      const attempt = await tools.sender.send({ url: webhook.url, headers, body }, TIMEOUT_MS, stop)
      if (stop.aborted && attempt.status === null) return undefined
      const plan = planRetry(attempt, failures)
      tools.metrics.countDelivery(plan.isDelivered)
      return { eventId: event.id, dueAt, attempt, plan }
    }),
  )
  return outcomes.filter((outcome) => outcome !== undefined)
}
