/** The admin area of a service with a card processor, and a person who tops up. */
import assert from 'node:assert/strict'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { openAdminSetup, type AdminSetup } from './admin-setup.ts'
import { makeLinkedUser } from './factories.ts'
import { stopSweeper, topUp, topupEnv, type Intent, type TopupSetup } from './topup-setup.ts'
import { deliver, eventsAbout } from './webhooks.ts'

export type AdminTopupSetup = AdminSetup & TopupSetup

/** Webhooks are delivered only by deliverAll, and the sweeper does not run. */
export async function openAdminTopupSetup(
  env: Record<string, string> = {},
): Promise<AdminTopupSetup> {
  const sandbox = await startSandbox()
  const setup = await openAdminSetup({ ...topupEnv(sandbox), ...env })
  const { context } = setup.harness
  const { processor } = context
  assert(processor !== undefined)
  const calls: string[] = []
  processor.stripe.on('request', ({ method, path }: { method: string; path: string }) => {
    calls.push(`${method} ${path.split('?')[0] ?? ''}`)
  })
  await stopSweeper(setup)
  const user = await makeLinkedUser(context, setup.app)
  async function close() {
    await setup.harness.end()
    await sandbox.close()
  }
  return { ...setup, user, sandbox, tools: { ...context, processor }, calls, close }
}

/** A new person of the same client app, who has topped up. */
export async function withTopup(setup: AdminTopupSetup, amount = 20) {
  const user = await makeLinkedUser(setup.harness.context, setup.app)
  const shop: AdminTopupSetup = { ...setup, user }
  const intent = await topUp(shop, amount)
  const { rows } = await setup.harness.admin.query<{ id: string }>(
    'select id from directory.topups where intent_id = $1',
    [intent.paymentIntentId],
  )
  const id = rows[0]?.id
  assert(id !== undefined)
  return { shop, intent, id }
}

/** Delivers all webhooks of a payment to the service, in order. */
export async function deliverAll(setup: TopupSetup, { paymentIntentId }: Intent) {
  for (const event of eventsAbout(setup, paymentIntentId)) {
    assert.equal((await deliver(setup, event)).statusCode, 200)
  }
}
