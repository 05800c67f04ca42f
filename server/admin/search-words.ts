import { ServiceError } from '../service-error.ts'

/** Returns an `ilike` pattern that finds the text anywhere; undefined: no filter. */
export function toPattern(search = ''): string | undefined {
  // PostgreSQL rejects NUL, and the other control characters cannot match.
  if (/\p{Cc}|\p{Cs}/u.test(search)) throw new ServiceError('INVALID_REQUEST', 'search')
  const words = search.trim()
  return words === '' ? undefined : `%${words.replace(/[\\%_]/g, '\\$&')}%`
}
