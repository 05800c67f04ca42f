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

export interface TopupPageData extends Omit<WidgetPageData, 'page'> {
  page: 'topup'
  /** ISO 4217. */
  currency: string
  /** Decimals of the currency: 0, 2 or 3. */
  exponent: number
  /** Major units, as maxAmount. */
  minAmount: number
  maxAmount: number
  /** Stripe.js, or the sandbox's script. */
  scriptUrl: string
  /** After a return from the bank the page has no session, and reads the payment with this key. */
  publishableKey: string
}

/** Nothing about anybody: the page asks for that with the cookie. */
export interface AccountPageData {
  /** Whether e-mails can be sent (then a "forgot password" link exists). */
  hasMailer: boolean
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  passwordMin: number
}

/** Nothing about anybody: the page asks for that with the cookie. */
export interface AdminPageData {
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  /** ISO 4217. */
  currency: string
  passwordMin: number
  /** Where passkeys work; null: nowhere. */
  passkeyDomain: string | null
}
