export type Login = { current: 'none' | 'sent' | 'kept' }

/** Why the login form is shown again: the login has ended, or the browser did not keep the one that was just sent. */
export function endLogin(
  login: Login,
  { notKept: sent, expired: kept }: { notKept: string; expired: string },
): { notice?: string } {
  const notice = { none: undefined, sent, kept }[login.current]
  login.current = 'none'
  return notice === undefined ? {} : { notice }
}
