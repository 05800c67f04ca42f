/**
 * A browser that has logged in to an account gets a cookie that says so. Its attempts on this account are then counted
 * separately from those of strangers, who therefore cannot make its owner wait. The cookie allows nothing else: the
 * password is still required. The service stores nothing about it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config, NamedKey } from '../config.ts'
import type { Caller } from './queue-fairly.ts'

const DEVICE_SECONDS = 180 * 24 * 60 * 60

/** Whose accounts: a cookie for one kind is not accepted for the other. */
type Kind = 'person' | 'operator'
const COOKIES: Record<Kind, string> = {
  person: '__Host-coffer-device',
  operator: '__Host-coffer-admin-device',
}

interface Call {
  network: string
  cookie: (name: string) => string | undefined
  setCookie: (name: string, value: string, keptSeconds: number) => void
}

/** Who tries to log in to the account with this email. */
export function identifyCaller(
  { peppers }: Pick<Config, 'peppers'>,
  kind: Kind,
  email: string,
  { network, cookie }: Pick<Call, 'network' | 'cookie'>,
): Caller {
  const device = recognizeDevice(peppers, kind, email, cookie(COOKIES[kind]))
  return device ? asKnown(network, device.id, email) : { network }
}

/** A caller who has proved before that the account is theirs. */
export function asKnown(network: string, device: string, email: string): Caller {
  return { network, known: { device, account: `account ${email.toLowerCase()}` } }
}

/** Whoever has a ticket, which nobody can guess. */
export function asHolder(network: string, ticket: string): Caller {
  return { network, known: { device: 'ticket', account: `ticket ${ticket}` } }
}

/**
 * After a login. Returns whether the device was known before. `since`: when the password was changed; a device that has
 * not logged in since then may be that of an intruder.
 */
export function rememberDevice(
  { peppers }: Pick<Config, 'peppers'>,
  kind: Kind,
  email: string,
  { cookie, setCookie }: Pick<Call, 'cookie' | 'setCookie'>,
  since: Date | null = null,
): boolean {
  const device = recognizeDevice(peppers, kind, email, cookie(COOKIES[kind]))
  if (device && device.issuedAtMs >= (since?.getTime() ?? 0)) return true
  setCookie(COOKIES[kind], issueDevice(peppers, kind, email), DEVICE_SECONDS)
  return false
}

interface Device {
  id: string
  issuedAtMs: number
}

export function issueDevice([pepper]: Config['peppers'], kind: Kind, email: string): string {
  const id = randomBytes(16).toString('base64url')
  const device = `${id}.${Date.now()}`
  return `${device}.${sign(pepper, kind, email, device).toString('base64url')}`
}

/** undefined: it has not logged in to this account. */
function recognizeDevice(
  peppers: readonly NamedKey[],
  kind: Kind,
  email: string,
  cookie: string | undefined,
): Device | undefined {
  const [, id, issued, signature] = /^([\w-]{22})\.(\d{13})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (id === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature, 'base64url')
  const text = `${id}.${issued}`
  const isOurs = peppers.some((pepper) => timingSafeEqual(given, sign(pepper, kind, email, text)))
  return isOurs ? { id, issuedAtMs: Number(issued) } : undefined
}

function sign({ key }: NamedKey, kind: Kind, email: string, device: string): Buffer {
  const text = `coffer device ${kind} ${device} ${email.toLowerCase()}`
  return createHmac('sha256', key).update(text).digest()
}
