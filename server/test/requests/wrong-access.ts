/** Credentials, sessions, logins and origins that no endpoint may accept, given those that it accepts. */
import { randomBytes } from 'node:crypto'
import type { Fields } from '../setup.ts'

interface Credentials {
  clientId: string
  clientSecret: string
}

/** To be put in place of the right fields. `other` is another client app. */
export function wrongCredentials(app: Credentials, other: Credentials): Fields[] {
  return [
    { clientId: undefined, clientSecret: undefined },
    { clientId: undefined },
    { clientSecret: undefined },
    { clientSecret: '' },
    { clientSecret: `${app.clientSecret}x` },
    { clientSecret: other.clientSecret },
    { clientSecret: 'x'.repeat(5_000) },
    { clientSecret: [app.clientSecret, app.clientSecret] },
    { clientId: other.clientId },
    { clientId: `${app.clientId}x` },
    { clientId: `${app.clientId.slice(0, -1)}\u0000` },
    { clientId: [app.clientId, app.clientId] },
    { clientId: 'app_00112233445566778899aabb', clientSecret: 'coffer_sk_none' },
    { clientId: `' or 1=1`, clientSecret: 'Ω' },
  ]
}

/** Not in the form of a session token. */
export function malformedSessions(session: string): (string | undefined)[] {
  return [
    undefined,
    '',
    'ws_',
    session.slice(3),
    `WS_${session.slice(3)}`,
    `${session}0`,
    ` ${session}`,
    `${session}\u0000`,
    session.toUpperCase(),
    session.replace(/-4(...-[89ab])/, '-1$1'),
    `' or 1=1`,
    'x'.repeat(5_000),
  ]
}

/** `sessionToken` is that of a widget session, which is not a login. */
export function wrongLogins(cookie: string, sessionToken: string): Record<string, string>[] {
  const [name = ''] = cookie.split('=')
  const otherName = name === '__Host-coffer' ? '__Host-coffer-admin' : '__Host-coffer'
  return [
    { cookie: '' },
    { cookie: `${name}=` },
    { cookie: `${name}=\u0000` },
    { cookie: `${name}=a; ${name}=b` },
    { cookie: `${name}=${'A'.repeat(43)}` },
    { cookie: `${name}=${randomBytes(32).toString('base64url')}` },
    { cookie: `${name}=${sessionToken}` },
    { cookie: `${name}=${'A'.repeat(5_000)}` },
    { cookie: '=;=;,' },
    { cookie: cookie.replace('__Host-', '') },
    { cookie: cookie.replace(name, otherName) },
    { cookie: cookie.slice(0, -1) },
    { cookie: '', authorization: `Bearer ${sessionToken}` },
  ]
}

/** Headers of requests from pages of other origins. A response that only reads is also refused to our own other ones. */
export function foreignOrigins(method: 'GET' | 'POST', own: string): Record<string, string>[] {
  const { protocol, hostname } = new URL(own)
  const reads: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: own },
  ]
  const changes: Record<string, string>[] = [
    {},
    { origin: 'https://shop.example' },
    { origin: 'null' },
    { origin: `${protocol === 'http:' ? 'https' : 'http'}://${hostname}:80` },
    { origin: `${protocol}//${hostname}:81` },
    { origin: `${protocol}//${hostname}.evil.example` },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
  ]
  return method === 'GET' ? reads : [...reads, ...changes]
}
