/** What the server writes into a page as JSON (`<script type="application/json" id="page-data">`). */

export interface WidgetPageData {
  page: 'wallet' | 'topup'
  clientId: string
  /** The query that stays in the URL: the client app, and the language and theme that its page requested. */
  query: string
  /** The language that the page of the client app requested; null: that of the browser. */
  locale: string | null
  appName: string
  /** '#rrggbb', or null for the default. */
  accentColor: string | null
  /** Exact origins that may receive messages: the session's parentOrigin alone, else the app's list. */
  listeners: string[]
  /** Whether the visitor comes from a page of the client app. Otherwise, anybody may have sent the URL. */
  isFromApp: boolean
  /** Whether emails can be sent (then there is a "Forgot password?" link). */
  hasMailer: boolean
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  passwordMin: number
  /** Whether this host belongs to the domain of people's passkeys. */
  hasPasskeys: boolean
  /** Who operates the wallet. */
  serviceName: string
  /** Where people get help, as https: or mailto:; null if that is not configured. */
  supportUrl: string | null
}

/** What a page needs to take a card payment. */
export interface PaymentPageData {
  /** Empty at /account. */
  appName: string
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  /** ISO 4217. */
  currency: string
  /** Decimals of the currency: 0, 2 or 3. */
  exponent: number
  /** Major units, as maxAmount. */
  minAmount: number
  maxAmount: number
  /** What one person may top up in 24 hours. */
  maxPerDay: number
  /** Stripe.js, or the sandbox's script. */
  scriptUrl: string
  /** After a return from the bank the page has no session, and reads the payment with this key. */
  publishableKey: string
}

export type TopupPageData = Omit<WidgetPageData, 'page'> & PaymentPageData & { page: 'topup' }

/** No personal data: the page requests that with the cookie. */
export interface AccountPageData {
  /** Who operates the wallet. */
  serviceName: string
  /** Where people get help, as https: or mailto:; null if that is not configured. */
  supportUrl: string | null
  /** Whether emails can be sent (then there is a "Forgot password?" link). */
  hasMailer: boolean
  /** Whether card payments are configured. */
  hasTopup: boolean
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  passwordMin: number
  /** The host where passkeys work; null if nowhere. */
  passkeyHost: string | null
}

/** No personal data: the page requests that with the cookie. */
export interface AdminPageData {
  /** Where client apps reach the service; null if that is not configured. */
  publicOrigin: string | null
  /** The card processor's test mode: a notice is shown. */
  isSandbox: boolean
  /** ISO 4217. */
  currency: string
  passwordMin: number
  /** The host where passkeys work; null if nowhere. */
  passkeyHost: string | null
}
