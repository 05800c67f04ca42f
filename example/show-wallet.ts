/** The three routes behind the wallet on the page. They use the logged-in user, never an id from the browser. */
import { isCofferError, type Coffer, type Session } from '@coffer/sdk'
import type { Store, User } from './store.ts'

interface Tools {
  coffer: Coffer
  store: Store
  /** The page's own origin: the session works nowhere else. */
  origin: string
}

export async function createSession(tools: Tools, user: User): Promise<Session | null> {
  if (user.serviceUserId === undefined) return null
  try {
    return await tools.coffer.createSession({
      serviceUserId: user.serviceUserId,
      parentOrigin: tools.origin,
    })
  } catch (error) {
    if (!isCofferError(error, 'USER_NOT_FOUND')) throw error
    // The person unlinked this shop at the service.
    tools.store.removeLink(user)
    return null
  }
}

/** The id comes from the exchange, never from the browser: a code cannot be invented, an id could be stolen. */
export async function saveLink({ coffer, store }: Tools, user: User, linkCode: string) {
  const { serviceUserId } = await coffer.exchangeLinkCode({ linkCode })
  store.saveLink(user, serviceUserId)
}
