/** Starts a temporary PostgreSQL server in its own folder, for tests, development and measurements. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from './find-free-ports.ts'

export interface TemporaryPostgres {
  url: string
  /** The folder with PostgreSQL's own programs (pgbench, pg_dump, …). */
  binFolder: string
  stop(): Promise<void>
}

/**
 * A UTF-8 locale, as in production. With the locale C, lower() changes ASCII letters only, which hides bugs. Every
 * Debian has C.UTF-8.
 */
const LOCALE = ['--encoding=UTF8', '--locale=C.UTF-8']

export async function startTemporaryPostgres(options: {
  /** Lines of postgresql.conf as name → value. */
  settings?: Record<string, string>
  /** A folder that is kept and reused; without it a temporary one is removed at the end. */
  folder?: string
  /** Environment variables of the server, beside our own. */
  env?: Record<string, string>
}): Promise<TemporaryPostgres> {
  const binFolder = findBinFolder()
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'coffer-postgres-'))
  const data = join(folder, 'data')
  const owner = postgresOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', ...LOCALE]
    execFileSync(join(binFolder, 'initdb'), initdb, { ...owner, cwd: folder, stdio: 'pipe' })
  }
  const [port = 0] = await findFreePorts(1)
  const settings = { ...options.settings, port: String(port), listen_addresses: '127.0.0.1' }
  const args = ['-D', data, '-k', folder]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)
  // Detached, so that Ctrl-C in the terminal does not reach PostgreSQL: this process stops it.
  const server = spawn(join(binFolder, 'postgres'), args, {
    ...owner,
    cwd: folder,
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  await waitUntilReady(binFolder, port, () => server.exitCode)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    binFolder,
    async stop() {
      process.removeListener('exit', kill)
      server.kill('SIGINT')
      await ended
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function findBinFolder(): string {
  const folders = globSync('/usr/lib/postgresql/*/bin').filter((f) => existsSync(join(f, 'initdb')))
  const version = (folder: string) => Number(folder.split('/')[4])
  const newest = folders.toSorted((a, b) => version(b) - version(a))[0]
  if (newest !== undefined) return newest
  const onPath = (process.env['PATH'] ?? '').split(':').find((f) => existsSync(join(f, 'initdb')))
  if (onPath !== undefined) return onPath
  throw new Error(
    "PostgreSQL's programs were not found. Install PostgreSQL 15 or newer (Debian: apt-get install postgresql).",
  )
}

/** PostgreSQL refuses to run as root, so root runs it as the system user postgres. */
export function postgresOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function waitUntilReady(binFolder: string, port: number, exitCode: () => number | null) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (exitCode() !== null)
      throw new Error(`PostgreSQL ended immediately with code ${exitCode()}.`)
    try {
      execFileSync(join(binFolder, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q'])
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('PostgreSQL did not become ready within 30 s.')
}
