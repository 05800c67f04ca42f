import { ServiceError } from '../service-error.ts'

/** A pattern of `ilike` that finds the words anywhere; undefined: everything. */
export function toPattern(search = ''): string | undefined {
  // NUL is an error in PostgreSQL, and nobody searches for the others.
  if (/\p{Cc}|\p{Cs}/u.test(search)) throw new ServiceError('INVALID_REQUEST', 'search')
  const words = search.trim()
  return words === '' ? undefined : `%${words.replace(/[\\%_]/g, '\\$&')}%`
}
