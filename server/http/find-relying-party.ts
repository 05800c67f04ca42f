/**
 * A passkey belongs to the domain for which it was created, and the browser signs the origin of the page. So the service
 * must know the URL of the admin area, and not from a header that a client controls: it is ADMIN_URL or PUBLIC_URL.
 * Without them, only localhost is accepted, which browsers resolve to their own machine.
 */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'

export interface RelyingParty {
  /** The domain of the passkey: the host of the origin, or a domain above it. */
  id: string
  /** Exactly as the browser writes it. */
  origin: string
}

type Address = Pick<Config, 'adminOrigin' | 'passkeyRpId'>

/** Where passkeys work. undefined: nowhere. Browsers support them only for domains and with HTTPS. */
export function findPasskeyHost({ adminOrigin }: Pick<Address, 'adminOrigin'>): string | undefined {
  const { protocol, hostname } = new URL(adminOrigin ?? 'http://localhost')
  const isSafe = protocol === 'https:' || /^(.+\.)?localhost$/.test(hostname)
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isSafe && !isAddress ? hostname : undefined
}

/** `host` is the host of the request. */
export function findRelyingParty(config: Address, host: string): RelyingParty | undefined {
  const hostname = findPasskeyHost(config)
  if (hostname === undefined) return undefined
  const id = config.passkeyRpId ?? hostname
  if (config.adminOrigin !== undefined) return { id, origin: config.adminOrigin }
  return /^localhost(:\d{1,5})?$/.test(host)
    ? { id, origin: new URL(`http://${host}`).origin }
    : undefined
}
