/** Explains while an origin is typed why the server would reject it. */
import { ORIGINS_MAX } from '@coffer/contract/limits'
import { checkOrigin } from '@coffer/contract/origins'

interface TypedOriginError {
  text: string
  /** The origin as it must be written, if that is clear. */
  better?: string
}

export function checkTypedOrigin(
  text: string,
  others: readonly string[],
): TypedOriginError | undefined {
  if (others.length >= ORIGINS_MAX)
    return { text: `At most ${ORIGINS_MAX} origins can be listed. Remove one first.` }
  const error = checkOrigin(text)
  switch (error?.reason) {
    case undefined:
      return others.includes(text) ? { text: 'This origin is already in the list.' } : undefined
    case 'wildcard':
      return { text: 'Wildcards are not allowed. List each origin.' }
    case 'not_a_url':
    case 'no_origin':
      return suggestScheme(text)
    case 'insecure':
      return { text: 'An origin must begin with https://. http:// is allowed for localhost only.' }
    case 'inexact':
      return { text: askExact(error.exact), better: error.exact }
    case 'bad_host':
      return { text: 'This host name contains characters that are not allowed.' }
  }
}

/** "shop.example" and "localhost:3000" lack only the scheme. */
function suggestScheme(text: string): TypedOriginError {
  const isBareHost = /^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(text)
  const isLocal = /^(localhost|127\.0\.0\.1)(:|$)/.test(text)
  const url = `${isLocal ? 'http' : 'https'}://${text}`
  if (!isBareHost || !URL.canParse(url))
    return { text: 'This is not an origin yet. An origin looks like https://shop.example.' }
  const better = new URL(url).origin
  return { text: askExact(better), better }
}

function askExact(origin: string): string {
  return `Write this origin exactly as ${origin}.`
}
