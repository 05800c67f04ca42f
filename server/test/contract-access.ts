/** Requests without the right to call: each must be refused, and change nothing. */
import { ROLES } from '@coffer/contract/admin/endpoint'
import { SECRET_SCOPES, type Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { isAdminEndpoint } from './contract-endpoints.ts'
import {
  send,
  withFields,
  withHeaders,
  type ContractService,
  type Request,
} from './contract-service.ts'
import { credentialsFor } from './factories.ts'
import { assertRefusal, basicOf } from './setup.ts'
import {
  foreignOrigins,
  malformedSessions,
  wrongCredentials,
  wrongLogins,
} from './requests/wrong-access.ts'
import { mintSession } from './shop.ts'

/** `request` is what a legitimate caller sends. */
export type Check = (
  service: ContractService,
  endpoint: Endpoint,
  request: Request,
) => Promise<void>

/** `inject` sends to localhost:80. */
export const OWN_ORIGIN = 'http://localhost:80'

export const refusesBadCredentials: Check = async (service, endpoint, request) => {
  const { strangers } = service
  const app = credentialsFor(service.app, endpoint)
  const { otherApp: other, inactiveApp: inactive } = strangers
  const inactiveApp = { clientId: inactive.clientId, clientSecret: inactive.clientSecret }
  for (const variant of [...wrongCredentials(app, other), inactiveApp]) {
    const response = await send(service, endpoint, withFields(request, endpoint, variant))
    assertRefusal(response, endpoint, 'INVALID_CLIENT')
  }
  const headers = basicOf({ ...app, clientSecret: other.clientSecret })
  assertRefusal(
    await send(service, endpoint, withHeaders(request, headers)),
    endpoint,
    'INVALID_CLIENT',
  )
}

/** Also the order of checks: credentials, then scope, then shape. */
export const refusesMissingScope: Check = async (service, endpoint, request) => {
  assert(endpoint.scope !== undefined)
  const { clientId, clientSecret } = service.strangers.appWithout[endpoint.scope]
  for (const start of [request, { ...request, query: {}, body: {} }]) {
    const lacking = withFields(start, endpoint, { clientId, clientSecret })
    assertRefusal(await send(service, endpoint, lacking), endpoint, 'INSUFFICIENT_SCOPE')
    const wrong = withFields(start, endpoint, { clientId, clientSecret: 'wrong' })
    assertRefusal(await send(service, endpoint, wrong), endpoint, 'INVALID_CLIENT')
  }
}

/** Also before the shape: every secret that is restricted to other calls, or not granted. */
export const refusesRestrictedSecrets: Check = async (service, endpoint, request) => {
  const { clientId, clientSecret: own, secretFor } = service.strangers.restrictedApp
  const others = SECRET_SCOPES.filter((each) => !endpoint.secretScopes?.includes(each))
  assert.ok(others.length > 0)
  const secrets = others.map((scope) => secretFor.get(scope))
  for (const clientSecret of endpoint.requiresRestrictedSecret ? [...secrets, own] : secrets) {
    for (const start of [request, { ...request, query: {}, body: {} }]) {
      const lacking = withFields(start, endpoint, { clientId, clientSecret })
      assertRefusal(await send(service, endpoint, lacking), endpoint, 'SECRET_RESTRICTED')
    }
  }
}

export const refusesOtherNetworks: Check = async (service, endpoint, request) => {
  const { clientId, secretElsewhere: clientSecret } = service.strangers.restrictedApp
  const elsewhere = withFields(request, endpoint, { clientId, clientSecret })
  assertRefusal(await send(service, endpoint, elsewhere), endpoint, 'NETWORK_NOT_ALLOWED')
}

export const refusesBrowsers: Check = async (service, endpoint, request) => {
  for (const name of ['origin', 'sec-fetch-site']) {
    const fromBrowser = withHeaders(request, { [name]: 'https://shop.example' })
    assertRefusal(await send(service, endpoint, fromBrowser), endpoint, 'BROWSER_NOT_ALLOWED')
  }
}

/** Also before the body is read. A response that only reads is refused to pages of other origins, also of our own ones. */
export const refusesOtherOrigins: Check = async (service, endpoint, request) => {
  const { 'sec-fetch-site': _, ...headers } = request.headers
  for (const variant of foreignOrigins(endpoint.method, OWN_ORIGIN)) {
    for (const body of [request.body, '{']) {
      const foreign = { ...request, body, headers: { ...headers, ...variant } }
      const response = await send(service, endpoint, foreign)
      assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
      assert.equal(response.headers['set-cookie'], undefined)
    }
  }
}

const INVALID_SHAPE = { clientId: 5, cursor: '\u0000' }

/** A widget session is not a login, and a login expires. */
export const refusesWithoutLogin: Check = async (service, endpoint, request) => {
  const { admin } = service.harness
  const { sessionToken } = service.strangers
  const cookie = request.headers['cookie'] ?? ''
  const withSession = withFields(request, endpoint, { session: sessionToken })
  for (const headers of wrongLogins(cookie, sessionToken)) {
    const response = await send(service, endpoint, withHeaders(withSession, headers))
    assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
  }
  if (isAdminEndpoint(endpoint)) {
    const unreadable = withFields(withHeaders(request, { cookie: '' }), endpoint, INVALID_SHAPE)
    assertRefusal(await send(service, endpoint, unreadable), endpoint, 'LOGIN_REQUIRED')
  }
  const table = isAdminEndpoint(endpoint) ? 'admin.log_ins' : 'directory.log_ins'
  for (const end of ['expires_at = now()', `last_seen_at = now() - interval '31 minutes'`]) {
    await admin.query(`create temp table kept as select * from ${table}`)
    await admin.query(`update ${table} set ${end}`)
    try {
      assertRefusal(await send(service, endpoint, request), endpoint, 'LOGIN_REQUIRED')
    } finally {
      await admin.query(`update ${table} t set expires_at = kept.expires_at,
        last_seen_at = kept.last_seen_at from kept where kept.id = t.id`)
      await admin.query('drop table kept')
    }
  }
}

export const refusesLowerRoles: Check = async (service, endpoint, request) => {
  assert(isAdminEndpoint(endpoint))
  const below = ROLES.slice(ROLES.indexOf(endpoint.role) + 1)
  assert(below.length > 0)
  for (const role of below) {
    const { cookie } = service[role]
    const response = await send(service, endpoint, withHeaders(request, { cookie }))
    assertRefusal(response, endpoint, 'OPERATOR_FORBIDDEN')
  }
}

/** Five minutes after the last confirmation. */
export const refusesUnconfirmed: Check = async (service, endpoint, request) => {
  assert(isAdminEndpoint(endpoint))
  const { id } = service[endpoint.role]
  const { admin } = service.harness
  const kept = await admin.query<{ id: string; at: string }>(
    'select id, confirmed_at::text as at from admin.log_ins where operator_id = $1',
    [id],
  )
  await admin.query(
    `update admin.log_ins set confirmed_at = now() - interval '301 seconds' where operator_id = $1`,
    [id],
  )
  try {
    assertRefusal(await send(service, endpoint, request), endpoint, 'CONFIRMATION_REQUIRED')
  } finally {
    for (const row of kept.rows) {
      await admin.query('update admin.log_ins set confirmed_at = $2 where id = $1', [
        row.id,
        row.at,
      ])
    }
  }
}

export const refusesBadSessions: Check = async (service, endpoint, request) => {
  const session = String(request.query['session'])
  const variants: unknown[] = malformedSessions(session)
  // A GET refuses a repeated parameter because of its shape.
  if (endpoint.method === 'POST') variants.push([session, session])
  for (const variant of variants) {
    const bad = { ...request, query: { ...request.query, session: variant } }
    assertRefusal(await send(service, endpoint, bad), endpoint, 'INVALID_SESSION')
  }
}

/** An expired token and one that never existed get the same response. */
export const refusesExpiredSessions: Check = async (service, endpoint, request) => {
  const { admin } = service.harness
  const session = await mintSession(service)
  const tokenHash = hash('sha256', session, 'buffer')
  const bodies = new Set<string>()
  await admin.query(
    `update directory.widget_sessions set expires_at = now() - interval '1 millisecond'
     where token_hash = $1`,
    [tokenHash],
  )
  for (const token of [session, `ws_${randomUUID()}`]) {
    const bad = { ...request, query: { ...request.query, session: token } }
    const response = await send(service, endpoint, bad)
    assertRefusal(response, endpoint, 'SESSION_EXPIRED')
    bodies.add(response.body)
  }
  assert.equal(bodies.size, 1)
  await admin.query('delete from directory.widget_sessions where token_hash = $1', [tokenHash])
}
