/** Finds and runs PostgreSQL's own programs. */
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const OUTPUT_MAX = 16 * 1024 * 1024

export interface Programs {
  major: number
  /** The path of a program, or its name if it is on the path. */
  find(name: string): string
}

/** Only programs of the same major version can read the data. */
export async function findPrograms(major: number, folder: string | undefined): Promise<Programs> {
  const usual = [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`, '']
  for (const place of folder === undefined ? usual : [folder]) {
    const find = (name: string) => join(place, name)
    const version = await run(find('pg_verifybackup'), ['--version']).catch(() => undefined)
    if (version?.stdout.includes(` ${major}.`) || version?.stdout.includes(` ${major} `)) {
      return { major, find }
    }
  }
  throw new Error(
    `PostgreSQL ${major} programs not found${folder === undefined ? '' : ` in ${folder}`}. ` +
      `Install them (Debian: apt-get install postgresql-${major}), or set their folder with --programs.`,
  )
}

/** Runs a program. If it fails, its error output becomes the error message. */
export async function runProgram(program: string, args: string[]): Promise<void> {
  try {
    await run(program, args, { maxBuffer: OUTPUT_MAX })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim() || message, { cause: error })
  }
}

/** PostgreSQL refuses to run as root; then the system user postgres runs it. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
