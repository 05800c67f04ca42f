import { ORIGINS_MAX } from '@coffer/contract/limits'

/** The URL parser accepts more, such as a semicolon, which would end a directive of our content security policies. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Why this text cannot be registered as an origin; undefined if it can. */
export function faultOfOrigin(text: string): string | undefined {
  if (text.includes('*')) return 'wildcards are not allowed; list each origin'
  let url
  try {
    url = new URL(text)
  } catch {
    return 'is not a URL; an origin looks like https://shop.example'
  }
  if (url.origin !== text) {
    return url.origin === 'null'
      ? 'has no origin; it must begin with https://'
      : `must be written exactly as ${url.origin}`
  }
  if (!HOST.test(url.hostname)) return 'contains characters that are not allowed in a host name'
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return undefined
  return 'must use https (http is for localhost only)'
}

export function checkOrigins(origins: readonly string[]): void {
  if (origins.length > ORIGINS_MAX) throw new Error(`At most ${ORIGINS_MAX} origins can be listed.`)
  for (const origin of origins) {
    const fault = faultOfOrigin(origin)
    if (fault) throw new Error(`The origin ${JSON.stringify(origin)} ${fault}.`)
  }
}
