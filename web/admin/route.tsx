/** The path and its parameters identify the page, so that links, reload and "back" work. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export interface Route {
  path: string
  parameters: Record<string, string>
}

/** The browser sends no event when a script changes the URL. */
const MOVED = 'coffer-moved'

function readRoute(): Route {
  const path = location.pathname.replace(/\/+$/, '')
  return { path, parameters: Object.fromEntries(new URLSearchParams(location.search)) }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const read = () => setRoute(readRoute())
    addEventListener('popstate', read)
    addEventListener(MOVED, read)
    // The URL may have changed before the listeners were added.
    read()
    return () => {
      removeEventListener('popstate', read)
      removeEventListener(MOVED, read)
    }
  }, [])
  return route
}

export function navigate(to: string) {
  history.pushState(null, '', to)
  dispatchEvent(new Event(MOVED))
}

/** Adds no entry to the browser's history, so that one press of Back leaves the search. */
export function replaceAddress(to: string) {
  history.replaceState(null, '', to)
  dispatchEvent(new Event(MOVED))
}

export function replaceParameters(parameters: Record<string, string | undefined>) {
  const given = Object.entries(parameters).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  replaceAddress(`${location.pathname}${query && `?${query}`}`)
}

interface LinkProps {
  to: string
  class?: string
  isCurrent?: boolean
  children: ComponentChildren
}

export function Link({ to, isCurrent = false, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent) {
    // With a modifier key, the browser opens a new tab or window.
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey)
    if (!isPlain || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={to} aria-current={isCurrent ? 'page' : undefined} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
