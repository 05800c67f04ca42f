/** What a command prints when it fails: what happened and what to do. A stack trace would say neither. */
import { CommanderError } from 'commander'
import pg from 'pg'

/** A refusal that another attempt or another address of the database does not change, by SQLSTATE or its first two digits. */
const DATABASE: Record<string, string> = {
  '08': 'Check DATABASE_URL and that PostgreSQL is running.',
  '22023': 'The database has no schema yet. Run coffer migrate as the owner of the database.',
  '25006': 'This server is read-only. Point DATABASE_URL at the primary.',
  '28000': 'Check the login in DATABASE_URL, and pg_hba.conf on the server.',
  '28P01': 'Check the password in DATABASE_URL, or in the file that PGPASSFILE names.',
  '3D000': 'Check the name in DATABASE_URL, or create the database (docs/install.md).',
  '3F000': 'The database has no schema yet. Run coffer migrate as the owner of the database.',
  '40P01': 'Nothing was changed. Run the command again.',
  '42501':
    'Grant coffer_service to the login in DATABASE_URL, or use the login that the command needs (docs/operations.md, Roles in PostgreSQL).',
  '42703': 'The schema is outdated. Run coffer migrate as the owner of the database.',
  '42883': 'The schema is outdated. Run coffer migrate as the owner of the database.',
  '42P01': 'The schema is missing or outdated. Run coffer migrate as the owner of the database.',
  '53': 'PostgreSQL lacks connections, memory or disk space, as the message says. Free some, then run the command again.',
  '55P03':
    'Another command holds a lock, such as coffer verify or a dump. Nothing was changed. Run the command again when it has ended.',
  '57014': 'PostgreSQL took too long. Run the command again when it has less to do.',
  '57P': 'PostgreSQL is starting or stopping. Run the command again when it is up.',
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there. Check DATABASE_URL and that PostgreSQL is running.',
  ECONNRESET:
    'The server closed the connection. Check DATABASE_URL and that PostgreSQL is running.',
  EHOSTUNREACH: 'There is no route to this host. Check DATABASE_URL and the firewall.',
  ENETUNREACH: 'There is no route to this host. Check DATABASE_URL and the firewall.',
  ENOTFOUND: 'This name has no address. Check the host in DATABASE_URL and the DNS.',
  EAI_AGAIN: 'The DNS did not respond. Check the host in DATABASE_URL and the DNS.',
  ETIMEDOUT: 'The server did not respond. Check DATABASE_URL and the firewall.',
}

const FILES: Record<string, string> = {
  EACCES:
    'may not be used by this user.\nCheck its owner and mode, or run the command as its owner.',
  EEXIST: 'already exists.\nChoose another name.',
  EISDIR: 'is a folder.\nName a file.',
  ENOENT: 'does not exist.\nCheck the path; its folder must exist.',
  ENOSPC: 'does not fit on the disk.\nFree some space.',
  ENOTDIR: 'is not a folder.\nCheck the path.',
  EPERM: 'may not be changed by this user.\nRun the command as its owner.',
  EROFS: 'is on a read-only file system.\nChoose another place.',
}

export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof CommanderError) {
    return `${error.message}\nRun the command with --help to see its arguments.`
  }
  if (error instanceof pg.DatabaseError) return explainDatabaseError(error)
  const {
    code = '',
    path,
    address,
    port,
  } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE' || (code === 'EACCES' && port !== undefined)) {
    const reason = code === 'EACCES' ? 'needs more privileges' : 'is in use'
    return `Port ${port} of ${address} ${reason} (${code}). End the process that listens there (ss -ltnp shows it), or set PORT, and METRICS_PORT, to another one.`
  }
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}. Check HOST.`
  const network = NETWORK[code]
  if (network !== undefined) return `${firstMessage(error)}\n${network}`
  const file = FILES[code]
  if (file !== undefined && path !== undefined) return `${path} ${file}`
  if (/client password must be a string/.test(error.message)) {
    return 'PostgreSQL asks for a password, and there is none.\nPut it into DATABASE_URL, or into a file that PGPASSFILE names (docs/install.md).'
  }
  if (code.startsWith('ERR_OSSL_')) {
    return 'The file of --key is not a key in PEM format. Create one with openssl genpkey -algorithm ed25519 (docs/operations.md, Verify and checkpoint).'
  }
  if (/^(Connection terminated|timeout expired)/.test(error.message)) {
    return `The database did not respond: ${error.message}.\nCheck DATABASE_URL, the firewall and that PostgreSQL is running.`
  }
  return error.message
}

function explainDatabaseError({ code = '', message }: pg.DatabaseError): string {
  const advice = DATABASE[code] ?? DATABASE[code.slice(0, 3)] ?? DATABASE[code.slice(0, 2)]
  return `PostgreSQL: ${message}.${advice === undefined ? '' : `\n${advice}`}`
}

/** A host with several addresses fails once for each. */
function firstMessage(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
