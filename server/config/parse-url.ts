import { z } from 'zod'

const RESERVED =
  'Percent-encode reserved characters in user name and password: # is %23, % is %25, / is %2F, : is %3A, ? is %3F, @ is %40'

/** A URL that may contain a password. The message never repeats it. */
export const urlWithPassword = (example: string, protocols: readonly string[]) =>
  z
    .string({ error: `is missing: a URL such as ${example}` })
    .refine((text) => protocols.some((protocol) => text.startsWith(protocol)), {
      error: `must begin with ${protocols.join(' or ')}`,
      abort: true,
    })
    .refine(isSound, `is not a valid URL such as ${example}. ${RESERVED}`)

/**
 * A reserved character in a password can end the part of the URL that names the server, so that the rest of the password
 * and the name of the server become a path, a query or a fragment.
 */
function isSound(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '') return false
  if (`${url.pathname}${url.search}`.includes('@')) return false
  return [url.username, url.password, url.hostname, url.pathname].every(isDecodable)
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
