/** What the server writes into a page as JSON (`<script type="application/json" id="page-data">`). */

export interface WidgetPageData {
  page: 'wallet' | 'topup'
  clientId: string
  appName: string
  /** '#rrggbb' or null: ours. */
  accentColor: string | null
  /** Exact origins that may hear messages: the session's parentOrigin alone, else the app's list. */
  listeners: string[]
  /** Whether e-mails can be sent (then a "forgot password" link exists). */
  hasMailer: boolean
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  passwordMin: number
}

/** Nothing about anybody: the page asks for that with the cookie. */
export interface AccountPageData {
  /** Whether e-mails can be sent (then a "forgot password" link exists). */
  hasMailer: boolean
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  passwordMin: number
}
