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
  /** The person just logged out of another wallet in the app. */
  isSwitched?: true
  /** Anybody may have sent the link with the session, and the visitor has not confirmed the wallet yet. */
  isUnconfirmed?: true
}

const STATE_MAX = 512

/** `rest`: what stays in the URL. `isFromLink`: see `isFromLink` in parent.ts. */
export function takeAddress(path: string, rest: string, isFromLink: boolean): Address {
  const query = new URLSearchParams(location.search)
  const kept = (history.state ?? {}) as Record<string, unknown>
  const given = query.get('session')
  const session = given || kept['session']
  const isUnconfirmed = given ? isFromLink : kept['isUnconfirmed'] === true
  const state = query.get('state') ?? kept['state']
  const challenge = query.get('challenge') ?? kept['challenge']
  const address: Address = {
    ...(typeof session === 'string' && { session }),
    ...(isUnconfirmed && { isUnconfirmed }),
    ...(typeof state === 'string' && state.length <= STATE_MAX && { state }),
    ...(typeof challenge === 'string' && { challenge }),
  }
  history.replaceState(address, '', `${path}?${rest}`)
  // Not stored: after a reload, the notice is outdated.
  return query.has('switched') ? { ...address, isSwitched: true } : address
}

/** The visitor does not have to confirm again after a reload. */
export function keepConfirmed() {
  history.replaceState({ ...(history.state as Address | null), isUnconfirmed: false }, '')
}
