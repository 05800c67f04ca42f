/** Requests a page of each separate origin as a browser does: through DNS, TLS and the proxy. */
import type { Config } from '../config.ts'

/** What `coffer doctor` reports. */
export interface Finding {
  /** error: it does not work, or money is at risk. */
  state: 'ok' | 'warning' | 'error'
  text: string
  fix?: string
}

const TIMEOUT_MS = 5_000

export function examineHosts(config: Config): Promise<Finding[]> {
  const { publicOrigin, accountOrigin, adminOrigin, docsOrigin } = config
  const pages = [
    { name: 'ACCOUNT_URL', origin: accountOrigin, path: '/account' },
    { name: 'ADMIN_URL', origin: adminOrigin, path: '/admin' },
    { name: 'DOCS_URL', origin: docsOrigin, path: '/docs' },
  ]
  const separate = pages.filter(({ origin }) => origin !== publicOrigin)
  return Promise.all(
    separate.map(({ name, origin, path }) => examineHost(name, `${origin}${path}`)),
  )
}

async function examineHost(name: string, url: string): Promise<Finding> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { signal, redirect: 'manual' }).catch(() => undefined)
  // Every response of the service has this header. 503: the page exists, but its area is not configured.
  const isOurs = response?.headers.has('api-version') ?? false
  if (isOurs && (response?.status === 200 || response?.status === 503)) {
    return { state: 'ok', text: `${url} responds.` }
  }
  const reason = response === undefined ? 'no response' : `status ${response.status}`
  return {
    state: 'error',
    text: `${name} does not lead to this service: ${url}, ${reason}.`,
    fix: 'Point its name at the proxy, add it to the certificate, and forward the Host header unchanged.',
  }
}
