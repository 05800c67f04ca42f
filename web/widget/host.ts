/** The only file that accesses the embedding page. It sends messages to exact origins and receives none. */
import type { WidgetEvent } from '@coffer/contract/widget-events'

type Unversioned<Event> = Event extends WidgetEvent ? Omit<Event, 'version'> : never

export type PostToHost = (event: Unversioned<WidgetEvent>) => void

export function createHost(origins: readonly string[]): PostToHost {
  const exact = origins.filter((origin) => isOrigin(origin))
  const isFramed = window.parent !== window
  const host = isFramed ? window.parent : (window.opener as Window | null)
  return (event) => {
    // The browser drops the messages whose origin is not the host's.
    for (const origin of exact) host?.postMessage({ ...event, version: 1 }, origin)
  }
}

/** Excludes '*', '/' and 'null', which would allow other pages. */
function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text
  } catch {
    return false
  }
}
