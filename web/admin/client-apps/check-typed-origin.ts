/** Explains while an origin is typed why the server would reject it. */
import { ORIGINS_MAX } from '@coffer/contract/limits'
import { checkOrigin } from '@coffer/contract/origins'
import { words } from '../messages.ts'

interface TypedOriginError {
  text: string
  /** The origin as it must be written, if that is clear. */
  better?: string
}

export function checkTypedOrigin(
  text: string,
  others: readonly string[],
): TypedOriginError | undefined {
  const texts = words.origins
  if (others.length >= ORIGINS_MAX) return { text: texts.tooMany(ORIGINS_MAX) }
  const error = checkOrigin(text)
  switch (error?.reason) {
    case undefined:
      return others.includes(text) ? { text: texts.listed } : undefined
    case 'wildcard':
      return { text: texts.wildcard }
    case 'not_a_url':
    case 'no_origin':
      return suggestScheme(text)
    case 'insecure':
      return { text: texts.insecure }
    case 'inexact':
      return { text: texts.inexact(error.exact), better: error.exact }
    case 'bad_host':
      return { text: texts.badHost }
  }
}

/** "shop.example" and "localhost:3000" lack only the scheme. */
function suggestScheme(text: string): TypedOriginError {
  const isBareHost = /^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(text)
  const isLocal = /^(localhost|127\.0\.0\.1)(:|$)/.test(text)
  const url = `${isLocal ? 'http' : 'https'}://${text}`
  if (!isBareHost || !URL.canParse(url)) return { text: words.origins.notAUrl }
  const better = new URL(url).origin
  return { text: words.origins.inexact(better), better }
}
