/** The three routes behind the wallet on the page. They use the logged-in user, never an id from the browser. */
import { createVerifier, isCofferError, type Coffer, type Session } from '@coffer/sdk'
import { UNLINKED, type OpenPages } from './open-pages.ts'
import type { Store, User } from './store.ts'

interface Tools {
  coffer: Coffer
  store: Store
  pages: OpenPages
  /** The page's own origin: the session works nowhere else. */
  origin: string
}

export interface Visitor {
  user: User
  /** The login session of this browser. */
  token: string
}

/** Without a link, the page gets a challenge and the widget shows its login. */
export async function createSession(
  tools: Tools,
  { user, token }: Visitor,
): Promise<Session | { challenge: string }> {
  if (user.serviceUserId === undefined) return startLink(tools, token)
  try {
    return await tools.coffer.createSession({
      serviceUserId: user.serviceUserId,
      parentOrigin: tools.origin,
    })
  } catch (error) {
    if (!isCofferError(error, 'USER_NOT_FOUND')) throw error
    // The person unlinked this shop at the service, and no webhook has said so yet.
    tools.pages.show(tools.store.removeLinks(user.serviceUserId), UNLINKED)
    return startLink(tools, token)
  }
}

/**
 * The verifier stays here, with the login session. A link code works only with the verifier of the session that asked
 * for it, so nobody can link another user to their own wallet.
 */
export async function startLink({ store }: Pick<Tools, 'store'>, token: string) {
  if (!store.findVerifier(token)) store.storeVerifier(token, await createVerifier())
  return { challenge: store.findVerifier(token)?.challenge ?? '' }
}

/** The id comes from the exchange, never from the browser: a code cannot be invented, an id could be stolen. */
export async function saveLink(
  { coffer, store }: Tools,
  { user, token }: Visitor,
  linkCode: string,
) {
  const { verifier = '' } = store.findVerifier(token) ?? {}
  const { serviceUserId } = await coffer.exchangeLinkCode({ linkCode, verifier })
  store.saveLink(user, serviceUserId)
}
