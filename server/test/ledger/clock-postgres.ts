/** A PostgreSQL whose clock a test can set, without that of the machine. */
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipIf } from '../../../scripts/find-program.ts'
import {
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../../scripts/temporary-postgres.ts'

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
const MISSING = 'libfaketime is not installed (Debian: apt-get install faketime).'

export interface ClockPostgres extends TemporaryPostgres {
  /** From now on the clock differs from that of the machine by so many seconds. */
  setClock(seconds: number): void
}

/** Why this machine cannot run it; false if it can. */
export function whyNoClockPostgres(): string | false {
  return skipIf(LIBRARY === undefined && MISSING)
}

/** `folder`: of an existing server, such as a copy of another one. */
export async function startClockPostgres(folder?: string): Promise<ClockPostgres> {
  if (LIBRARY === undefined) throw new Error(MISSING)
  const place = mkdtempSync(join(tmpdir(), 'coffer-clock-'))
  chmodSync(place, 0o755)
  const file = join(place, 'offset')
  const setClock = (seconds: number) =>
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 })
  setClock(0)
  const postgres = await startTemporaryPostgres({
    settings: { fsync: 'off' },
    ...(folder !== undefined && { folder }),
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  })
  return {
    ...postgres,
    setClock,
    async stop() {
      await postgres.stop()
      rmSync(place, { recursive: true })
    },
  }
}
