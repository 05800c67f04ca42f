/** The screens of the top-up page. */
export type Screen =
  | { name: 'loading' }
  | { name: 'amount'; notice?: string }
  | { name: 'card'; error?: string }
  /**
   * action: the bank wants the person to confirm, and nothing on the page asks for it at the moment.
   * paid: the processor has the money, the wallet does not show it yet.
   */
  | { name: 'action' | 'processing' | 'paid' }
  | { name: 'done'; balance: number }
  /** A payment that this page did not start, and that is not paid. It cannot be paid here. */
  | { name: 'unpaid'; status: 'open' | 'failed' | 'canceled' }
  | { name: 'ended'; reason: 'no_session' | 'session_expired' }
  /** unavailable: no processor is configured. unreachable: it does not respond. notFound: it has no such payment. */
  | { name: 'frozen' | 'unavailable' | 'unreachable' | 'notFound' }
