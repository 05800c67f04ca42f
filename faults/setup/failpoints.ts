/** Places at which a service process can be told to kill itself. */
import type { SourceChange } from './change-source.ts'

/** Before: the writes have arrived, COMMIT has not been sent. After: COMMIT has succeeded, no caller has a response. */
export type Failpoint = 'before-commit' | 'after-commit'

export const FAILPOINTS: SourceChange = {
  file: 'server/ledger/post/batch.ts',
  find: `  const [committed] = await Promise.allSettled([client.query('commit')])`,
  replace: `  if (globalThis.diesAt('before-commit')) {
    await written
    process.kill(process.pid, 'SIGKILL')
  }
  const [committed] = await Promise.allSettled([client.query('commit')])
  if (globalThis.diesAt('after-commit')) process.kill(process.pid, 'SIGKILL')`,
}
