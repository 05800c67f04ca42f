import { ORIGINS_MAX } from '@coffer/contract/limits'
import { checkOrigin } from '@coffer/contract/origins'

/** Why this text cannot be registered as an origin; undefined if it can. */
export function faultOfOrigin(text: string): string | undefined {
  const error = checkOrigin(text)
  switch (error?.reason) {
    case undefined:
      return undefined
    case 'wildcard':
      return 'contains a wildcard; list each origin instead'
    case 'not_a_url':
      return 'is not a URL; an origin looks like https://shop.example'
    case 'no_origin':
      return 'has no origin; it must begin with https://'
    case 'insecure':
      return 'must use https (http is allowed for localhost only)'
    case 'inexact':
      return `must be written exactly as ${error.exact}`
    case 'bad_host':
      return 'contains characters that are not allowed in a host name'
  }
}

export function checkOrigins(origins: readonly string[]): void {
  if (origins.length > ORIGINS_MAX) throw new Error(`At most ${ORIGINS_MAX} origins can be listed.`)
  for (const origin of origins) {
    const fault = faultOfOrigin(origin)
    if (fault) throw new Error(`The origin ${JSON.stringify(origin)} ${fault}.`)
  }
}
