/**
 * A copy of the keys, encrypted with a passphrase. It is text, so that it can also be printed. Its head says what it
 * contains and how to decrypt it, and cannot be changed without notice.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Keys, NamedKey } from '../config.ts'
import { formatKeys } from '../config/parse-keys.ts'
import { open, seal } from '../seal.ts'

/** Environment variables with their values. */
export type CopiedSecrets = Record<string, string>

const BEGIN = '-----BEGIN COFFER KEYS-----'
const END = '-----END COFFER KEYS-----'
/** Each guess of a passphrase costs about half a second and 128 MB. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
const METHOD =
  'scrypt N=131072 r=8 p=1, HKDF-SHA256 "coffer key copy", AES-256-GCM (nonce, text, tag)'
const KEY_BYTES = 32
const SALT_BYTES = 16
const LINE = /.{1,64}/g

/** What a restored database needs and no backup of it contains. */
export function secretsToCopy({ peppers, adminKeys }: Keys): CopiedSecrets {
  const secrets: CopiedSecrets = { SECRET_PEPPERS: formatKeys(peppers) }
  if (adminKeys) secrets['ADMIN_KEYS'] = formatKeys(adminKeys)
  return secrets
}

/** The lines of an environment file. */
export function formatSecrets(secrets: CopiedSecrets): string {
  return Object.entries(secrets)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

export async function writeKeyCopy(secrets: CopiedSecrets, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString('base64')
  const head = [
    'Version: 1',
    `Created: ${new Date().toISOString()}`,
    `Contains: ${Object.keys(secrets).join(', ')}`,
    `Method: ${METHOD}`,
    `Salt: ${salt}`,
    'Read it with: coffer keys show FILE',
  ].join('\n')
  const key = await stretch(passphrase, salt)
  const { sealed } = seal(key, 'key copy', head, Buffer.from(formatSecrets(secrets)))
  const lines = sealed.toString('base64').match(LINE) ?? []
  return [BEGIN, head, '', ...lines, END, ''].join('\n')
}

/** Throws an Error that says what is wrong. */
export async function readKeyCopy(text: string, passphrase: string): Promise<CopiedSecrets> {
  const inner = text.replaceAll('\r\n', '\n').split(`${BEGIN}\n`)[1]
  const [body = '', end] = inner?.split(`\n${END}`) ?? []
  const [head = '', data = ''] = body.split('\n\n')
  if (end === undefined) throw new Error('is not a copy of keys, or only a part of one.')
  const salt = /^Salt: (\S+)$/m.exec(head)?.[1]
  if (!head.startsWith('Version: 1\n') || !head.includes(`Method: ${METHOD}\n`) || !salt) {
    throw new Error('has a head that this version of coffer does not know.')
  }
  const key = await stretch(passphrase, salt)
  return readLines(decrypt(key, head, Buffer.from(data, 'base64')))
}

function decrypt(key: NamedKey, head: string, data: Buffer): string {
  try {
    return open(key, 'key copy', head, data).toString('utf8')
  } catch (cause) {
    const message = 'cannot be decrypted: the passphrase is wrong, or the file was changed.'
    throw new Error(message, { cause })
  }
}

function readLines(text: string): CopiedSecrets {
  const lines = text.split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** The same passphrase must give the same key on every keyboard. */
async function stretch(passphrase: string, salt: string): Promise<NamedKey> {
  const text = passphrase.normalize('NFKC')
  const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
  return { id: 'copy', key: await derive(text, Buffer.from(salt, 'base64'), KEY_BYTES, SCRYPT) }
}
