/** After the faults: everybody who does not know asks again until there is an answer, and every payment arrives. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Move } from './mix.ts'
import type { Stage } from '../stage/prepare-stage.ts'
import { withAdmin } from '../stage/with-admin.ts'
import { move } from './talk.ts'

const AT_ONCE = 16

/** Returns how many pairs nobody knew about. */
export async function settlePairs(stage: Stage, patienceSeconds: number): Promise<number> {
  const { journal } = stage
  const untilMs = performance.now() + patienceSeconds * 1000
  const unknown: number[] = []
  for (let pair = 0; pair < journal.pairCount; pair++) {
    const wasSent = journal.firstSentMs(pair) < Infinity
    if (wasSent && journal.firstAnsweredMs(pair) === Infinity) unknown.push(pair)
  }
  const left = [...unknown]
  async function ask() {
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      while ((await repeat(stage, pair)) === 'unknown' && performance.now() < untilMs) {
        await sleep(250)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  return unknown.length
}

async function repeat(stage: Stage, pair: number) {
  for (const request of stage.journal.requestsOf(pair)) {
    if (request.verb === 'lookup') continue
    const { app, verb, wallet, amountMinor } = request
    return move(stage, { app, verb, wallet, amountMinor, pair } as Move)
  }
  return undefined
}

/** Nobody helps: without webhooks the sweeper finds them within a minute. */
export async function settlePayments(stage: Stage, patienceSeconds: number): Promise<void> {
  const untilMs = performance.now() + patienceSeconds * 1000
  const expected = [...stage.till.expected(stage.sandbox).keys()]
  while (performance.now() < untilMs) {
    const { rows } = await withAdmin(stage.database.url, (admin) =>
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
