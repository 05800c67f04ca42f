/** Passwords of PostgreSQL from a password file, as PostgreSQL's own programs read them. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Settings {
  DATABASE_URL: string
  PGPASSFILE?: string | undefined
}

/** Adds the password to a URL that has none. PGPASSFILE, or .pgpass in the home folder, contains it. */
export function addPassword(
  { DATABASE_URL: databaseUrl, PGPASSFILE: given }: Settings,
  env: Record<string, string | undefined>,
): string {
  const url = URL.parse(databaseUrl)
  if (url === null || url.password !== '' || env['PGPASSWORD']) return databaseUrl
  const file = given ?? (env['HOME'] ? join(env['HOME'], '.pgpass') : undefined)
  if (file === undefined) return databaseUrl
  const text = readPrivately(file, given !== undefined)
  const password = text === undefined ? undefined : findPassword(text, url)
  if (password === undefined) return databaseUrl
  url.password = encodeURIComponent(password)
  return url.href
}

/** undefined: there is no such file. */
function readPrivately(file: string, isRequired: boolean): string | undefined {
  try {
    if ((statSync(file).mode & 0o077) === 0) return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isRequired) return undefined
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `The password file ${file} cannot be read (${code}). Check PGPASSFILE and the owner of the file.`,
      { cause: error },
    )
  }
  throw new Error(`Other users can read the password file ${file}. Run: chmod 600 ${file}`)
}

/** The first line that fits, as host:port:database:user:password. */
export function findPassword(text: string, url: URL): string | undefined {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const isSocket = host === '' || host.startsWith('/')
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1)) || user
  const wanted = [isSocket ? 'localhost' : host, url.port || '5432', database, user]
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue
    const fields = [...line.matchAll(/((?:[^\\:]|\\.)*)(:|$)/g)].map(([, field = '']) => field)
    const [password, ...names] = [fields[4], ...fields.slice(0, 4)]
    if (password === undefined) continue
    if (names.every((name, index) => name === '*' || unescape(name) === wanted[index])) {
      return unescape(password)
    }
  }
  return undefined
}

function unescape(field: string): string {
  return field.replaceAll(/\\(.)/g, '$1')
}
