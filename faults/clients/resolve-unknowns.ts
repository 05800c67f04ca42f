/** After the faults: repeats every request with an unknown outcome until it is known, and waits for every payment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { move, type Move } from './call-service.ts'

const AT_ONCE = 16

/** Returns the number of pairs whose outcome was unknown. */
export async function resolvePairs(setup: Setup, timeoutSeconds: number): Promise<number> {
  const { journal } = setup
  const untilMs = performance.now() + timeoutSeconds * 1000
  const unknown: number[] = []
  for (let pair = 0; pair < journal.pairCount; pair++) {
    const wasSent = journal.firstSentMs(pair) < Infinity
    if (wasSent && journal.firstRespondedMs(pair) === Infinity) unknown.push(pair)
  }
  const left = [...unknown]
  async function send() {
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      while ((await repeat(setup, pair)) === 'unknown' && performance.now() < untilMs) {
        await sleep(250)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  return unknown.length
}

async function repeat(setup: Setup, pair: number) {
  for (const request of setup.journal.requestsOf(pair)) {
    if (request.verb === 'lookup') continue
    const { app, verb, wallet, amountMinor } = request
    return move(setup, { app, verb, wallet, amountMinor, pair } as Move)
  }
  return undefined
}

/** The audit does not help: without webhooks the sweeper finds the payments within a minute. */
export async function awaitPayments(setup: Setup, timeoutSeconds: number): Promise<void> {
  const untilMs = performance.now() + timeoutSeconds * 1000
  const expected = [...setup.topups.expected(setup.sandbox).keys()]
  while (performance.now() < untilMs) {
    const { rows } = await withAdmin(setup.database.url, (admin) =>
      admin.query<{ missing: bigint }>(
        `select count(*) as missing from unnest($1::text[]) as expected
         where not exists (
           select from ledger.operations where reference_type || ' ' || reference_id = expected
         )`,
        [expected],
      ),
    )
    if (rows[0]?.missing === 0n) return
    await sleep(500)
  }
}
