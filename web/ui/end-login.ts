export type Login = { current: 'none' | 'sent' | 'kept' }

/** The notice for the login form: the login has ended, or the browser did not store the cookie of the new one. */
export function endLogin(
  login: Login,
  { notKept: sent, expired: kept }: { notKept: string; expired: string },
): { notice?: string } {
  const notice = { none: undefined, sent, kept }[login.current]
  login.current = 'none'
  return notice === undefined ? {} : { notice }
}
