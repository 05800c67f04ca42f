/** A PostgreSQL that can be restarted, gracefully or by a crash. Its port changes with a restart; the proxy hides that. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { readVersion } from './read-version.ts'

const SETTINGS = {
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  // A crash of the server process loses nothing that the operating system has; power failures are not tested.
  fsync: 'off',
  full_page_writes: 'off',
}

export interface Database {
  /** The name with the version. */
  readonly name: string
  readonly url: string
  readonly binFolder: string
  /** Fast: closes all connections and shuts down. Crash: ends at once and recovers from its WAL. */
  restart(how: 'fast' | 'crash'): Promise<void>
  stop(): Promise<void>
}

export async function startDatabase(onMove: (url: string) => void): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-faults-postgres-'))
  const start = () => startTemporaryPostgres({ settings: SETTINGS, folder })
  let running = await start()
  return {
    name: `one PostgreSQL ${readVersion(join(running.binFolder, 'postgres'))}`,
    get url() {
      return running.url
    },
    binFolder: running.binFolder,
    async restart(how) {
      if (how === 'crash') process.kill(postmasterOf(folder), 'SIGQUIT')
      await running.stop()
      running = await start()
      onMove(running.url)
    },
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function postmasterOf(folder: string): number {
  const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid)
}
