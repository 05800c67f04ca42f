/**
 * Removes confidential values from the URL, so that they do not reach the browser history, screenshots or other
 * hosts. The history state survives a reload, and browsers do not block it in iframes.
 */

export interface Address {
  session?: string
  /** Opaque; echoed to the embedding page. */
  state?: string
  /** For the link code, see `challenge` in the contract. */
  challenge?: string
}

const STATE_MAX = 512

export function takeAddress(path: string, clientId: string): Address {
  const query = new URLSearchParams(location.search)
  const kept = (history.state ?? {}) as Record<string, unknown>
  const session = query.get('session') || kept['session']
  const state = query.get('state') ?? kept['state']
  const challenge = query.get('challenge') ?? kept['challenge']
  const address: Address = {
    ...(typeof session === 'string' && { session }),
    ...(typeof state === 'string' && state.length <= STATE_MAX && { state }),
    ...(typeof challenge === 'string' && { challenge }),
  }
  history.replaceState(address, '', `${path}?clientId=${encodeURIComponent(clientId)}`)
  return address
}
