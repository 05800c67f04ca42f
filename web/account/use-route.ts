/** The part of the URL after # identifies the section, so that the text of a search reaches no server and no log. */
import { useEffect, useState } from 'preact/hooks'

export const SECTIONS = ['overview', 'history', 'apps', 'profile'] as const
/** The statement is part of the history and not in the navigation. */
const PAGES = [...SECTIONS, 'statement'] as const
export type Section = (typeof PAGES)[number]

export interface Route {
  section: Section
  parameters: Record<string, string>
}

function readRoute(): Route {
  const [name = '', query = ''] = location.hash.slice(1).split('?')
  const section = PAGES.find((each) => each === name) ?? 'overview'
  return { section, parameters: Object.fromEntries(new URLSearchParams(query)) }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const read = () => setRoute(readRoute())
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return route
}

/** Adds no entry to the browser's history, so that one press of Back leaves the search. */
export function replaceParameters(
  section: Section,
  parameters: Record<string, string | undefined>,
) {
  const given = Object.entries(parameters).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  history.replaceState(null, '', `#${section}${query && `?${query}`}`)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/**
 * A link in an email. reset: sets a new password. undo: also restores the previous email address. warning: ends
 * everything that somebody else may have started.
 */
export interface MailLink {
  kind: 'reset' | 'undo' | 'warning'
  ticket: string
}

const KINDS = ['reset', 'undo', 'warning'] as const

/** Removes the ticket from the URL and from the browser's history. */
export function takeMailLink(): MailLink | undefined {
  const [, name, ticket] = /^#(\w+)\?ticket=([\w-]+)$/.exec(location.hash) ?? []
  const kind = KINDS.find((each) => each === name)
  if (kind === undefined || ticket === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  return { kind, ticket }
}
