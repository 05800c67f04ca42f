/** The admin area of a service with a card processor, and a person who tops up. */
import assert from 'node:assert/strict'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { openAdminStage, type AdminStage } from './admin-setup.ts'
import { makeLinkedUser } from './factories.ts'
import { restSweeper, topUp, topupEnv, type Intent, type TopupStage } from './topup-setup.ts'
import { deliver, eventsAbout } from './webhooks.ts'

export type AdminTopupStage = AdminStage & TopupStage

/** Webhooks are delivered only by deliverAll, and the sweeper does not run. */
export async function openAdminTopupStage(
  env: Record<string, string> = {},
): Promise<AdminTopupStage> {
  const sandbox = await startSandbox()
  const stage = await openAdminStage({ ...topupEnv(sandbox), ...env })
  const { context } = stage.harness
  const { processor } = context
  assert(processor !== undefined)
  const calls: string[] = []
  processor.stripe.on('request', ({ method, path }: { method: string; path: string }) => {
    calls.push(`${method} ${path.split('?')[0] ?? ''}`)
  })
  await restSweeper(stage)
  const user = await makeLinkedUser(context, stage.app)
  async function close() {
    await stage.harness.end()
    await sandbox.close()
  }
  return { ...stage, user, sandbox, tools: { ...context, processor }, calls, close }
}

/** A new person of the same client app, who has topped up. */
export async function withTopup(stage: AdminTopupStage, amount = 20) {
  const user = await makeLinkedUser(stage.harness.context, stage.app)
  const there: AdminTopupStage = { ...stage, user }
  const intent = await topUp(there, amount)
  const { rows } = await stage.harness.admin.query<{ id: string }>(
    'select id from directory.topups where intent_id = $1',
    [intent.paymentIntentId],
  )
  const id = rows[0]?.id
  assert(id !== undefined)
  return { there, intent, id }
}

/** Delivers all webhooks of a payment to the service, in order. */
export async function deliverAll(stage: TopupStage, { paymentIntentId }: Intent) {
  for (const event of eventsAbout(stage, paymentIntentId)) {
    assert.equal((await deliver(stage, event)).statusCode, 200)
  }
}
