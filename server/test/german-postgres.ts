/** A PostgreSQL that reports its errors and warnings in German, as a server with a German locale does. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipIf } from '../../scripts/find-program.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from '../../scripts/temporary-postgres.ts'

export const GERMAN = 'de_DE.UTF-8'

/** Why this machine cannot run it; false if it can. */
export function whyNoGermanPostgres(): string | false {
  return skipIf(findReason())
}

/** Returns the environment with which PostgreSQL finds the locale in the folder. */
export function makeGermanLocale(folder: string): { LOCPATH: string } {
  chmodSync(folder, 0o755)
  const localedef = ['--no-archive', '-i', 'de_DE', '-f', 'UTF-8', join(folder, GERMAN)]
  execFileSync('localedef', localedef, { stdio: 'pipe' })
  return { LOCPATH: folder }
}

export async function startGermanPostgres(): Promise<TemporaryPostgres> {
  const locales = mkdtempSync(join(tmpdir(), 'coffer-locales-'))
  const postgres = await startTemporaryPostgres({
    settings: { lc_messages: GERMAN, fsync: 'off' },
    env: makeGermanLocale(locales),
  })
  return {
    ...postgres,
    async stop() {
      await postgres.stop()
      rmSync(locales, { recursive: true })
    },
  }
}

function findReason(): string | false {
  if (!existsSync('/usr/share/i18n/locales/de_DE')) {
    return 'The sources of the German locale are missing (Debian: apt-get install locales).'
  }
  if (globSync('/usr/share/locale/de/LC_MESSAGES/postgres-*.mo').length === 0) {
    return "PostgreSQL's German messages are missing; they come with the package postgresql."
  }
  return false
}
