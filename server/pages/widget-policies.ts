/** Content security policies of the hosted pages. Only exact origins may frame them; an empty list means none. */
import type { Config } from '../config.ts'

const OURS = {
  'default-src': `'none'`,
  'script-src': `'self'`,
  'style-src': `'self'`,
  'img-src': `'self' data:`,
  'font-src': `'self'`,
  'form-action': `'none'`,
  'base-uri': `'none'`,
  'frame-src': `'none'`,
}

/** Never loads the card processor's script. `api` is the source of the widget API. */
export function walletPolicy(parentOrigins: readonly string[], api: string): string {
  return write({
    ...OURS,
    'connect-src': api,
    'frame-ancestors': ancestors(parentOrigins),
    'require-trusted-types-for': `'script'`,
    'trusted-types': `'none'`,
  })
}

/**
 * Only a part of our API, so that even on a single host a script on these pages, such as that of the card processor,
 * cannot call the other APIs of people and operators. A proxy may change the host of a request, so the configured origin
 * is listed too. `'self'` would be every path; only a host that is not valid in a policy, such as an IPv6 address, gets
 * it.
 */
export function apiSource(
  path: '/api/widget/' | '/api/account/topup/',
  origin: string | undefined,
  host: string,
): string {
  const sources = [
    ...(origin === undefined ? [] : [origin]),
    ...(/^[a-z0-9.-]+(:\d{1,5})?$/i.test(host) ? [host] : []),
  ].filter((source) => !source.includes('['))
  return sources.map((source) => `${source}${path}`).join(' ') || `'self'`
}

/** The hosts of Stripe's script, frames and API; a sandbox has all of them on one host. */
const STRIPE = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
  img: 'https://*.stripe.com',
}

/** The processor's script does not guarantee support for Trusted Types. */
export function topupPolicy(
  parentOrigins: readonly string[],
  api: string,
  stripe: Config['stripe'],
): string {
  const isStripes = stripe === undefined || stripe.scriptUrl.startsWith('https://js.stripe.com/')
  const origin = isStripes ? '' : new URL(stripe.scriptUrl).origin
  const { script, frame, connect, img } = isStripes
    ? STRIPE
    : { script: origin, frame: origin, connect: origin, img: origin }
  return write({
    ...OURS,
    'script-src': `'self' ${script}`,
    'img-src': `'self' data: ${img}`,
    'connect-src': `${api} ${connect}`,
    'frame-src': frame,
    'frame-ancestors': ancestors(parentOrigins),
  })
}

function ancestors(origins: readonly string[]): string {
  return origins.length > 0 ? origins.join(' ') : `'none'`
}

function write(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}
