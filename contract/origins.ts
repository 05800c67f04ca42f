/** The rule for origins that a client app may list. It imports nothing, so the server and the pages share it. */

export type OriginError =
  | { reason: 'wildcard' | 'not_a_url' | 'no_origin' | 'insecure' | 'bad_host' }
  /** `exact` is the same origin as it must be written. */
  | { reason: 'inexact'; exact: string }

/** The URL parser accepts more, such as a semicolon, which would end a directive of a content security policy. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Returns why this text cannot be registered as an origin, or undefined if it can. */
export function checkOrigin(text: string): OriginError | undefined {
  if (text.includes('*')) return { reason: 'wildcard' }
  let url
  try {
    url = new URL(text)
  } catch {
    return { reason: 'not_a_url' }
  }
  const { origin, protocol, hostname } = url
  if (origin === 'null') return { reason: 'no_origin' }
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return { reason: 'insecure' }
  if (origin !== text) return { reason: 'inexact', exact: origin }
  if (!HOST.test(hostname)) return { reason: 'bad_host' }
  return undefined
}
