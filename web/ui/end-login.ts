/** sent: the visitor has just logged in. kept: a later request has shown that the browser stored the cookie. */
export type Login = { current: 'none' | 'sent' | 'kept' }

/** The notice for the login form: the login has ended, or the browser did not store the cookie. */
export function endLogin(
  login: Login,
  messages: { notKept: string; expired: string },
): { notice?: string } {
  const state = login.current
  login.current = 'none'
  if (state === 'none') return {}
  return { notice: state === 'sent' ? messages.notKept : messages.expired }
}
