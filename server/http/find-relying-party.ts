/**
 * A passkey belongs to the domain for which it was made, and the browser signs which page asked for it. So the service
 * must know its own address, and not from a header that a caller may write: it is PUBLIC_URL. Without one only
 * localhost is believed, which no browser looks for anywhere but on its own machine.
 */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'

export interface RelyingParty {
  /** The domain, in which browsers call a passkey's home. */
  id: string
  /** Exactly as the browser writes it. */
  origin: string
}

type Address = Pick<Config, 'publicOrigin'>

/** undefined: passkeys work nowhere. Browsers have them for domains alone, and only where the way is safe. */
export function findPasskeyDomain({ publicOrigin }: Address): string | undefined {
  const { protocol, hostname } = new URL(publicOrigin ?? 'http://localhost')
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isSafe && !isAddress ? hostname : undefined
}

/** `host` is the one that the request names. */
export function findRelyingParty(config: Address, host: string): RelyingParty | undefined {
  const id = findPasskeyDomain(config)
  if (id === undefined) return undefined
  if (config.publicOrigin !== undefined) return { id, origin: config.publicOrigin }
  return /^localhost(:\d{1,5})?$/.test(host)
    ? { id, origin: new URL(`http://${host}`).origin }
    : undefined
}
