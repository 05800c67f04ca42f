/** The errors that all endpoints of a person who is logged in share. */
import { ANY_PAGE_POST } from '../widget/widget.ts'

export const ANY_PERSON_POST = { ...ANY_PAGE_POST, LOGIN_REQUIRED: {} } as const
export const ANY_PERSON_GET = {
  ORIGIN_NOT_ALLOWED: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
  LOGIN_REQUIRED: {},
} as const
