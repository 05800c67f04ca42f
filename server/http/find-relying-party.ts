/**
 * A passkey belongs to the domain for which it was created, and the browser signs the origin of the page. So the
 * service must know the URL of the area, and not from a header that a client controls: it is ADMIN_URL, ACCOUNT_URL or
 * PUBLIC_URL. Without them, only localhost is accepted, which browsers resolve to their own machine.
 */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'

export interface RelyingParty {
  /** The domain of the passkey: the host of the origin, or a domain above it. */
  id: string
  /** Exactly as the browser writes it. */
  origin: string
  /** In a frame: the origins of the pages that may be around it. undefined: not in a frame. */
  topOrigins?: readonly string[]
}

/** Where the passkeys of one kind of user belong. */
interface PasskeyArea {
  origin: string | undefined
  rpId: string | undefined
}

type Operators = Pick<Config, 'adminOrigin' | 'passkeyRpId'>
type People = Pick<Config, 'accountOrigin' | 'accountPasskeyRpId'>

export function areaOfOperators({ adminOrigin, passkeyRpId }: Operators): PasskeyArea {
  return { origin: adminOrigin, rpId: passkeyRpId }
}

export function areaOfPeople({ accountOrigin, accountPasskeyRpId }: People): PasskeyArea {
  return { origin: accountOrigin, rpId: accountPasskeyRpId }
}

/** Where passkeys work. undefined: nowhere. Browsers support them only for domains and with HTTPS. */
export function findPasskeyHost({ origin }: Pick<PasskeyArea, 'origin'>): string | undefined {
  const { protocol, hostname } = new URL(origin ?? 'http://localhost')
  const isSafe = protocol === 'https:' || /^(.+\.)?localhost$/.test(hostname)
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isSafe && !isAddress ? hostname : undefined
}

/** `host` is the host of the request. */
export function findRelyingParty(area: PasskeyArea, host: string): RelyingParty | undefined {
  const hostname = findPasskeyHost(area)
  if (hostname === undefined) return undefined
  const id = area.rpId ?? hostname
  if (area.origin !== undefined) return { id, origin: area.origin }
  return /^localhost(:\d{1,5})?$/.test(host)
    ? { id, origin: new URL(`http://${host}`).origin }
    : undefined
}

/**
 * In a frame of the widget, for the passkeys that people create at /account. undefined: the host of the widget does not
 * belong to their domain, so the browser refuses them there.
 */
export function findFrameParty(
  config: People & Pick<Config, 'publicOrigin'>,
  host: string,
  topOrigins: readonly string[],
): RelyingParty | undefined {
  const people = findRelyingParty(areaOfPeople(config), host)
  const frame = findRelyingParty({ origin: config.publicOrigin, rpId: undefined }, host)
  if (people === undefined || frame === undefined) return undefined
  const belongs = frame.id === people.id || frame.id.endsWith(`.${people.id}`)
  return belongs ? { id: people.id, origin: frame.origin, topOrigins } : undefined
}
