/** The real service on a real database, without jobs of its own and with a clock that only the plan moves. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { startClock, type Clock } from '../server/test/clock.ts'
import { cloneDatabase } from '../server/test/database.ts'
import { createTemplate } from '../server/test/global-setup.ts'
import { startOwnHarness, type Harness } from '../server/test/harness.ts'

export interface TestService {
  harness: Harness
  clock: Clock
  close(): Promise<void>
}

/** How long the deletion of an account waits for operations that are in progress. */
const DELETION_WAIT_MS = 7_000

export async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  skipWait(DELETION_WAIT_MS)
  const clock = await startClock()
  process.env['TEST_DATABASE_URL'] = clock.url
  await createTemplate()
  const harness = await startOwnHarness(env, await cloneDatabase(), { runsJobs: false })
  return {
    harness,
    clock,
    async close() {
      await harness.end()
      await clock.stop()
    },
  }
}

/** Skips waits of exactly this length in the service. Nothing else is in progress while a plan does something. */
export function skipWait(waitMs: number) {
  const timers = createRequire(import.meta.url)('node:timers/promises') as {
    setTimeout: (ms: number, ...rest: unknown[]) => Promise<unknown>
  }
  const wait = timers.setTimeout
  timers.setTimeout = (ms, ...rest) => wait(ms === waitMs ? 0 : ms, ...rest)
  syncBuiltinESMExports()
}
