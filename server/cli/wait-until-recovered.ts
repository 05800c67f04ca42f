import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 500

/** Waits until PostgreSQL has replayed the WAL. `hasEnded`: the server does not run, so waiting is pointless. */
export async function waitUntilRecovered(server: {
  isRecovered: () => Promise<boolean>
  hasEnded: () => boolean
}): Promise<boolean> {
  for (;;) {
    if (await server.isRecovered().catch(() => false)) return true
    if (server.hasEnded()) return false
    await sleep(POLL_MS)
  }
}
