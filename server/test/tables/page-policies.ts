/** The content security policies and headers that the HTML pages must have, without the frame ancestors of a client app. */
import { API_VERSION } from '@coffer/contract/limits'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'

export const SANDBOX_ORIGIN = 'http://127.0.0.1:4242'

export const STRIPE_ENV = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_API_URL: SANDBOX_ORIGIN,
}

export const OWN_WINDOW = { 'cross-origin-opener-policy': 'same-origin' }
/** Stripe's script requires the origin in the Referer, and the page that opened the window receives messages. */
export const TOPUP_WINDOW = {
  'referrer-policy': 'strict-origin',
  'cross-origin-opener-policy': 'unsafe-none',
}

/** With another opener policy than /account, Stripe's script has no access to a window with that page. */
export const ACCOUNT_TOPUP_WINDOW = {
  'referrer-policy': 'strict-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
}

export type Directives = Record<string, string>

export const NONE = `'none'`
const SELF = `'self'`
const TRUSTED_TYPES = { 'require-trusted-types-for': `'script'`, 'trusted-types': NONE }
export const FIRST_PARTY: Directives = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  'img-src': `'self' data:`,
  'font-src': SELF,
  'connect-src': SELF,
  'form-action': SELF,
  'base-uri': NONE,
  'frame-ancestors': NONE,
  ...TRUSTED_TYPES,
}
/** `inject` sends to localhost:80. */
const WIDGET_API = 'localhost:80/api/widget/'
const HOSTED = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  'img-src': `'self' data:`,
  'font-src': SELF,
  'connect-src': WIDGET_API,
  'form-action': NONE,
  'base-uri': NONE,
  'frame-src': NONE,
}
export const WIDGET: Directives = { ...HOSTED, ...TRUSTED_TYPES }
export const TOPUP: Directives = {
  ...HOSTED,
  'script-src': `'self' https://js.stripe.com https://*.js.stripe.com`,
  'img-src': `'self' data: https://*.stripe.com`,
  'connect-src': `${WIDGET_API} https://api.stripe.com`,
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
}
export const TOPUP_WITH_SANDBOX: Directives = {
  ...TOPUP,
  'script-src': `'self' ${SANDBOX_ORIGIN}`,
  'img-src': `'self' data: ${SANDBOX_ORIGIN}`,
  'connect-src': `${WIDGET_API} ${SANDBOX_ORIGIN}`,
  'frame-src': SANDBOX_ORIGIN,
}
/** At /account, where nobody may frame it, with its own part of the API. */
export const ACCOUNT_TOPUP: Directives = {
  ...TOPUP,
  'connect-src': 'localhost:80/api/account/topup/ https://api.stripe.com',
  'frame-ancestors': NONE,
}
export const ACCOUNT_TOPUP_WITH_SANDBOX: Directives = {
  ...TOPUP_WITH_SANDBOX,
  'connect-src': `localhost:80/api/account/topup/ ${SANDBOX_ORIGIN}`,
  'frame-ancestors': NONE,
}
/** Any page may frame it: the developer of that page reads there why the wallet is not shown. */
export const HELP: Directives = {
  'default-src': NONE,
  'style-src': `'sha256-WZSMNvSjHTVKV7X9pY4CaImnA0s69HwKG5iADW2oVJQ='`,
  'base-uri': NONE,
  'form-action': NONE,
}
export const MISSING: Directives = {
  ...HELP,
  'img-src': SELF,
  'frame-ancestors': NONE,
  sandbox: '',
}
export const CLIENT_SECRET: Directives = {
  'default-src': NONE,
  'script-src': `'sha256-YbKNLWGV2vW5hcwl094i8MullcXIO8m8Y7jrQaoUltU='`,
  'style-src': `'sha256-vFc5wACKPx27kecxjVcS+1/QCTydRNkV0E9KKfvreAg='`,
  'connect-src': SELF,
  'form-action': NONE,
  'base-uri': NONE,
  'frame-ancestors': NONE,
  ...TRUSTED_TYPES,
}
const WITHOUT_ORIGIN = {
  sandbox: 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
}
export const DOCS: Directives = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  'img-src': SELF,
  'base-uri': NONE,
  'form-action': NONE,
  'frame-ancestors': NONE,
  'require-trusted-types-for': `'script'`,
  'trusted-types': 'coffer-docs',
  ...WITHOUT_ORIGIN,
}
export const API_REFERENCE: Directives = {
  'default-src': NONE,
  'script-src': `'self' 'unsafe-inline'`,
  'style-src': `'self' 'unsafe-inline'`,
  'img-src': `'self' data:`,
  'font-src': `'self' data:`,
  'base-uri': NONE,
  'form-action': NONE,
  'frame-ancestors': NONE,
  ...WITHOUT_ORIGIN,
}

const ALWAYS = {
  'api-version': API_VERSION,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
/** These differ from response to response. */
const VARIABLE = ['connection', 'content-length', 'date', 'x-request-id']

export type Headers = Record<string, string>

/** Sorted, because the order of directives has no meaning. */
export function directivesOf(response: LightMyRequestResponse): Directives {
  const policy = String(response.headers['content-security-policy'])
  const pairs = policy.split('; ').map((directive) => {
    const [name = '', ...sources] = directive.split(' ')
    return [name, sources.join(' ')] as const
  })
  assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, 'a directive is repeated')
  return Object.fromEntries(pairs)
}

export function assertPage(
  response: LightMyRequestResponse,
  policy: Directives,
  headers: Headers = {},
) {
  assert.deepEqual(directivesOf(response), policy)
  const { 'content-security-policy': _policy, ...others } = response.headers
  for (const name of VARIABLE) delete others[name]
  assert.deepEqual({ ...others }, { ...ALWAYS, ...headers })
}
