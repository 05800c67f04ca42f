/**
 * Finds the client app of a hosted page and the origins that may frame it, from values that a page of another site
 * cannot forge: the session, the public clientId and the Referer.
 */
import { listParentOwners } from '../client-app/list-client-apps.ts'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { findSessionByToken } from '../widget/require-session.ts'

/** Other text is not an id of ours and never reaches the database. */
const CLIENT_ID = /^app_[0-9a-f]{24}$/

export interface FrameRequest {
  session: string | undefined
  clientId: string | undefined
  /** The origin of the Referer, if there is one and it is not ours. */
  seenOrigin: string | undefined
  /** Opened in its own window and not in a frame. */
  isTopLevel: boolean
}

export type Frame =
  | {
      isKnown: true
      clientApp: ClientApp
      /** The origins that may frame the page. */
      parentOrigins: readonly string[]
      /** The origins that receive its messages: the parent, or the page that opened the window. */
      listeners: readonly string[]
      /** A page of the app led here, and if the session is bound to one origin, a page of that origin. */
      isFromApp: boolean
    }
  | { isKnown: false; reason: 'no_app' | 'inactive' | 'shared_origin' | 'origin_not_allowed' }

type Tools = Pick<Context, 'db' | 'clientApps' | 'appActivity'>

export async function findFrame(tools: Tools, request: FrameRequest): Promise<Frame> {
  const found = await findApp(tools, request)
  if (!('clientApp' in found)) return { isKnown: false, reason: found.reason }
  const { clientApp, parentOrigin } = found
  if (!clientApp.isActive) return { isKnown: false, reason: 'inactive' }
  const { seenOrigin, isTopLevel } = request
  const parentOrigins = parentOrigin === null ? clientApp.allowedIframeParents : [parentOrigin]
  const openers = isTopLevel ? clientApp.allowedOrigins : []
  const registered = [...new Set([...clientApp.allowedIframeParents, ...openers])]
  if (seenOrigin !== undefined && !registered.includes(seenOrigin)) {
    tools.appActivity.recordRefusal(clientApp.clientId, 'origin', seenOrigin)
    return { isKnown: false, reason: 'origin_not_allowed' }
  }
  const listeners = isTopLevel ? registered : parentOrigins
  // A page can hide its Referer, but not send the one of another page.
  const isBoundElsewhere = parentOrigin !== null && parentOrigin !== seenOrigin
  const isFromApp = seenOrigin !== undefined && !isBoundElsewhere
  return { isKnown: true, clientApp, parentOrigins, listeners, isFromApp }
}

type Found =
  { clientApp: ClientApp; parentOrigin: string | null } | { reason: 'no_app' | 'shared_origin' }

async function findApp(
  tools: Tools,
  { session, clientId, seenOrigin }: FrameRequest,
): Promise<Found> {
  const recalled = session === undefined ? undefined : await findSessionByToken(tools, session)
  if (recalled) return recalled.session
  const isId = clientId !== undefined && CLIENT_ID.test(clientId)
  const named = isId ? await tools.clientApps.find(clientId) : undefined
  if (named) return { clientApp: named, parentOrigin: null }
  if (clientId !== undefined || seenOrigin === undefined) return { reason: 'no_app' }
  const owners = await listParentOwners(tools.db, [seenOrigin])
  if (owners.length > 1) return { reason: 'shared_origin' }
  const owner = owners[0] && (await tools.clientApps.find(owners[0].clientId))
  return owner ? { clientApp: owner, parentOrigin: null } : { reason: 'no_app' }
}
