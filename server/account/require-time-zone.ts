import { isTimeZone } from '../ledger/post/find-period.ts'
import { InvalidRequest } from '../service-error.ts'

export function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return
  const expected = 'must be the name of a time zone, such as Europe/Berlin'
  throw new InvalidRequest(`The field timeZone ${expected}.`, 'timeZone')
}
