/** Reports invalid options when the client is created, not at the first payment. */
import type { CofferOptions, Fetch } from './types.ts'

/** The checked options: how calls reach the service. */
export interface Connection {
  origin: string
  authorization: string
  timeoutMs: number
  retries: number
  deadlineMs: number
  fetch: Fetch
}

const TIMEOUT_MAX_MS = 600_000

export function checkOptions(options: CofferOptions): Connection {
  refuseBrowser()
  const clientId = checkCredential('clientId', options.clientId)
  const clientSecret = checkCredential('clientSecret', options.clientSecret)
  return {
    origin: checkServiceUrl(options.serviceUrl),
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 10_000, 1, TIMEOUT_MAX_MS),
    retries: checkCount('retries', options.retries ?? 4, 0, 100),
    deadlineMs: checkCount('deadlineMs', options.deadlineMs ?? 30_000, 1, TIMEOUT_MAX_MS),
    // Looked up at every call, so that later instrumentation of the global fetch takes effect.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** Pages have a window with a document, their workers can import scripts; backends have neither. */
function refuseBrowser() {
  const { window, document, importScripts } = globalThis as Record<string, unknown>
  const isPage = typeof window === 'object' && typeof document === 'object'
  if (!isPage && typeof importScripts !== 'function') return
  throw new TypeError(
    '@coffer/sdk runs on a backend only, because a browser would expose your clientSecret. Call your own backend from the page, and rotate the secret if a page ever contained it. (Tests that use jsdom must run in the node environment.)',
  )
}

/** The messages do not repeat the values, because any of them might be the secret by mistake. */
function checkServiceUrl(text: string | undefined): string {
  const example = 'such as https://wallet.example'
  if (!text) {
    throw new TypeError(`serviceUrl is missing. Set it to the service's address, ${example}.`)
  }
  if (!URL.canParse(text)) throw new TypeError(`serviceUrl must be an address ${example}.`)
  const url = new URL(text)
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new TypeError(
      'serviceUrl must begin with https://, because the client secret is sent there. Only localhost may use http://.',
    )
  }
  if (!isBare) {
    throw new TypeError(
      `serviceUrl must be scheme, host and port only, ${example}. Remove path, query and credentials.`,
    )
  }
  return url.origin
}

function checkCredential(name: string, text: string | undefined): string {
  if (!text) {
    throw new TypeError(`${name} is missing. Set it from your backend's configuration.`)
  }
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(
      `${name} contains a space, a line break or another character that is not printable ASCII. Copy it again.`,
    )
  }
  return text
}

function checkCount(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`)
}
