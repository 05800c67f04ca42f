/** The only file that accesses the page that embeds or opened ours. Sends messages to exact origins, receives none. */
import type { WidgetEvent } from '@coffer/contract/widget/events'

type Unversioned<Event> = Event extends WidgetEvent ? Omit<Event, 'version'> : never

export type PostToParent = (event: Unversioned<WidgetEvent>) => void

export function isFramed(): boolean {
  return window.parent !== window
}

export function createParentMessenger(origins: readonly string[]): PostToParent {
  const exact = origins.filter((origin) => isOrigin(origin))
  const parent = isFramed() ? window.parent : (window.opener as Window | null)
  return (event) => {
    // The browser drops the messages whose origin is not the parent's.
    for (const origin of exact) parent?.postMessage({ ...event, version: 1 }, origin)
  }
}

/**
 * Whether anybody may have sent the visitor here. In a frame, the browser lets only pages of the app embed us. In a
 * window, a script of the app opened it: then the server saw the app's page as the Referer, and there is an opener. A
 * link in a page has no opener, so a link that a user of the app posted there does not count as the app.
 */
export function isFromLink({ isFromApp }: { isFromApp: boolean }): boolean {
  if (isFramed()) return false
  return !isFromApp || window.opener === null
}

/** Excludes '*', '/' and 'null', which would allow other pages. */
function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text
  } catch {
    return false
  }
}
