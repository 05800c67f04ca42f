import type { PlantedBug } from './planted-bug.ts'

/** Operators and client apps, rate limits and commands. */
export const ADMIN_BUGS: readonly PlantedBug[] = [
  {
    name: 'a change of a client app cannot be approved while writes are paused',
    file: 'server/admin/grants/approve-grant.ts',
    find: `known.kind !== 'credit_limit' && known.kind !== 'app_change'`,
    replace: `known.kind !== 'credit_limit'`,
    test: 'server/admin/switches/paused.test.ts',
    title: 'can approve a change of a client app, which moves no money',
  },
  {
    name: 'a new secret is shown before every process accepts it',
    file: 'server/admin/client-apps/collect-client-secret.ts',
    find: '  await sleep(KNOWN_EVERYWHERE_MS)',
    replace: '  void sleep(KNOWN_EVERYWHERE_MS)',
    test: 'server/admin/client-apps/replace-client-secret.test.ts',
    title: '200 ends the old secret at once, and only the contact gets the new one, once',
  },
  {
    name: 'a quiet client saves up calls without limit',
    file: 'server/http/rate-limit.ts',
    find: 'Math.min(this.#count, this.#tokens + (nowMs - this.#atMs) * this.#perMs)',
    replace: 'this.#tokens + (nowMs - this.#atMs) * this.#perMs',
    test: 'server/http/rate-limit.test.ts',
    title: 'saves up no more than its count, however long a key is quiet',
  },
  {
    name: 'a gap in the WAL is reported that another timeline fills',
    file: 'server/cli/backup-wal.ts',
    find: '(a.slice(8) < b.slice(8) ? -1 : 1)',
    replace: '(a < b ? -1 : 1)',
    test: 'server/cli/restore.alone.test.ts',
    title: 'finds the first missing segment, across the wraparound of names and across timelines',
  },
  {
    name: 'an alert about debits replaces the reason of an operator who paused the app',
    file: 'server/admin/client-apps/watch-debits.ts',
    find: 'const pausesNow = app.pausesOnDebitAlert && !app.isPaused',
    replace: 'const pausesNow = app.pausesOnDebitAlert',
    test: 'server/admin/client-apps/watch-debits.test.ts',
    title: 'leave the reason as it is if an operator has paused the app before',
  },
]
