/** pgBackRest, as docs/backup.md sets it up: one stanza on the server of the database, run by the user postgres. */
import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const STANZA = 'coffer'
const CONFIG_FILE = '/etc/pgbackrest.conf'

/** Of `pgbackrest info --output=json`. */
export interface Info {
  status: { code: number; message: string }
  archive: { id: string; max: string | null }[]
  backup: {
    type: string
    error: boolean | null
    timestamp: { stop: number }
    /** The first and the last WAL file that it needs. */
    archive: { start: string; stop: string }
    /** Bytes of the cluster. */
    info: { size: number }
  }[]
}

export interface Cluster {
  data: string
  /** The unit of Debian. */
  unit: string
  /** The folder of PostgreSQL's programs. */
  programs: string
}

/** Where Debian keeps the cluster that the stanza backs up. */
export async function readCluster(): Promise<Cluster> {
  const settings = await readFile(CONFIG_FILE, 'utf8').catch(() => '')
  const data = /^pg1-path *= *(\S+)/m.exec(settings)?.[1]
  if (data === undefined) {
    throw new Error(
      `${CONFIG_FILE} does not set pg1-path. Set up pgBackRest first (docs/backup.md).`,
    )
  }
  const [, major, name] = /^\/var\/lib\/postgresql\/(\d+)\/([\w-]+)$/.exec(data) ?? []
  if (major === undefined || name === undefined) {
    throw new Error(
      `${data} is not a cluster of Debian. Restore with pgBackRest itself, then run coffer after-restore (docs/backup.md).`,
    )
  }
  const programs = `/usr/lib/postgresql/${major}/bin`
  return { data, unit: `postgresql@${major}-${name}`, programs }
}

/** Only the user postgres may read its files; root becomes that user. */
function toCommand(args: string[]): [string, string[]] {
  const command = ['pgbackrest', `--stanza=${STANZA}`, ...args]
  return isRoot()
    ? ['runuser', ['-u', 'postgres', '--', ...command]]
    : ['pgbackrest', command.slice(1)]
}

export const isRoot = () => process.getuid?.() === 0

export async function readInfo(): Promise<Info> {
  const { stdout } = await promisify(execFile)(...toCommand(['--output=json', 'info']), {
    cwd: '/',
  })
  const [info] = JSON.parse(stdout) as Info[]
  if (info === undefined || info.backup.length === 0) {
    throw new Error(
      `There is no backup (${info?.status.message ?? 'no stanza'}). See: pgbackrest --stanza=${STANZA} info`,
    )
  }
  return info
}

/** Each restore that was put into service starts a timeline. */
export async function listTimelines({ archive }: Info): Promise<number[]> {
  const found = new Set<number>()
  for (const { id } of archive) {
    const args = ['repo-ls', `archive/${STANZA}/${id}`]
    const { stdout } = await promisify(execFile)(...toCommand(args), { cwd: '/' })
    for (const [, name = ''] of stdout.matchAll(/^([0-9A-F]{8})(?:[0-9A-F]{8}|\.history)$/gm))
      found.add(Number.parseInt(name, 16))
  }
  return [...found].toSorted((a, b) => a - b)
}

/** Its output goes to the terminal. */
export function runPgbackrest(args: string[]) {
  execFileSync(...toCommand(args), { cwd: '/', stdio: 'inherit' })
}

/** Restore to this time, and then accept writes. */
export function toTime(to: Date): string[] {
  const time = to.toISOString().replace('T', ' ').replace('Z', '+00')
  return ['--type=time', `--target=${time}`, '--target-action=promote']
}

/** The number of the newest archived segment; a name is the timeline, then the number in two parts of 8 digits. */
export function newestSegment({ archive }: Info): bigint | undefined {
  const numbers = archive.flatMap(({ max }) => (max === null ? [] : [toNumber(max)]))
  return numbers.toSorted((a, b) => (a < b ? 1 : -1))[0]
}

function toNumber(name: string): bigint {
  const SEGMENTS_PER_PART = 256n // of 16 MB, PostgreSQL's default
  return BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS_PER_PART + BigInt(`0x${name.slice(16, 24)}`)
}
