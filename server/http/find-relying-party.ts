/**
 * A passkey belongs to the domain for which it was created, and the browser signs the origin of the page. So the service
 * must know its own URL, and not from a header that a client controls: it is PUBLIC_URL. Without it, only localhost is
 * accepted, which browsers resolve to their own machine.
 */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'

export interface RelyingParty {
  /** The domain of the passkey. */
  id: string
  /** Exactly as the browser writes it. */
  origin: string
}

type Address = Pick<Config, 'publicOrigin'>

/** undefined: passkeys are not available. Browsers support them only for domains and with HTTPS. */
export function findPasskeyDomain({ publicOrigin }: Address): string | undefined {
  const { protocol, hostname } = new URL(publicOrigin ?? 'http://localhost')
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isSafe && !isAddress ? hostname : undefined
}

/** `host` is the host of the request. */
export function findRelyingParty(config: Address, host: string): RelyingParty | undefined {
  const id = findPasskeyDomain(config)
  if (id === undefined) return undefined
  if (config.publicOrigin !== undefined) return { id, origin: config.publicOrigin }
  return /^localhost(:\d{1,5})?$/.test(host)
    ? { id, origin: new URL(`http://${host}`).origin }
    : undefined
}
