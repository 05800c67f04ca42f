/** The service, its operators and the receivers, ready for many plans. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { startDeliverer } from '../../server/events/webhooks/deliver.ts'
import type { Sender } from '../../server/events/webhooks/send-request.ts'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { ADMIN_ENV, makeOperator, type TestOperator } from '../../server/test/admin-setup.ts'
import { WEBHOOK_ENV } from '../../server/test/events/webhook-setup.ts'
import type { Harness } from '../../server/test/harness.ts'
import { startTestService, skipWait } from '../start-test-service.ts'
import type { Span } from './model.ts'
import { openReceivers, type Receivers } from './receivers.ts'

export interface Setup {
  harness: Harness
  receivers: Receivers
  operators: TestOperator[]
  viewer: TestOperator
  /** Hours pass with their maintenance. Returns whether there was any. */
  pass(ms: number): Promise<boolean>
  /** One round of the job that delivers events; `isKilled`: the process ends before it records anything. */
  deliver(options?: { isKilled: boolean }): Promise<void>
  close(): Promise<void>
}

const ENV = { ...ADMIN_ENV, ...WEBHOOK_ENV, APP_REQUESTS_PER_SECOND: '100000' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** How long the service collects attempts before it records them, and how long it trusts what it remembers of an app. */
const COLLECT_MS = 50
const CACHE_MAX_AGE_MS = 800

export async function openSetup(): Promise<Setup> {
  const service = await startTestService(ENV)
  const { harness, clock } = service
  skipWait(COLLECT_MS)
  // From then on it reads an app and its secrets for every request, so that a change is effective at once.
  harness.context.clientApps.close()
  await sleep(CACHE_MAX_AGE_MS)
  const receivers = await openReceivers()
  const operators = [
    await makeOperator(harness, 'operator'),
    await makeOperator(harness, 'operator'),
  ]
  return {
    harness,
    receivers,
    operators,
    viewer: await makeOperator(harness, 'viewer'),
    async pass(ms) {
      clock.advanceMs(ms)
      if (ms >= MINUTE) await stayLoggedIn(harness)
      if (ms < HOUR) return false
      await runMaintenance(harness.context)
      return true
    },
    deliver: ({ isKilled } = { isKilled: false }) => deliver(harness, isKilled),
    async close() {
      receivers.close()
      await service.close()
    },
  }
}

async function stayLoggedIn({ admin }: Harness) {
  await admin.query(
    `update admin.log_ins set last_seen_at = now(), confirmed_at = now(), expires_at = now() + interval '8 hours'`,
  )
}

async function deliver({ context }: Harness, isKilled: boolean) {
  const sender = {
    ...(isKilled ? killAfterSending(context.sender) : context.sender),
    close: () => undefined,
  }
  // Its first round begins at once, and it stops after it.
  await startDeliverer({ ...context, sender }).stop()
}

/** All requests are sent, and then nothing is recorded. */
function killAfterSending(sender: Sender): Sender {
  const open = new Set<Parameters<Sender['send']>>()
  return {
    ...sender,
    async send(...message) {
      open.add(message)
      await sender.send(...message)
      open.delete(message)
      while (open.size > 0) await nextTurn()
      throw new Error('the process was killed')
    },
  }
}

/** The result of `act`, and when it happened. */
export async function during<Result>(
  act: () => Promise<Result>,
): Promise<{ result: Result; at: Span }> {
  const fromMs = Date.now()
  const result = await act()
  return { result, at: { fromMs, toMs: Date.now() } }
}
