/** A service with everything that any endpoint needs, and requests that differ from a valid one in one point. */
import {
  SECRET_SCOPES,
  type Endpoint,
  type Scope,
  type SecretScope,
} from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import { link } from '../identity/link.ts'
import { makePerson, type PersonSetup } from './account-setup.ts'
import { ADMIN_ENV, makeOperator } from './admin-setup.ts'
import type { AdminTopupSetup } from './admin-topup-setup.ts'
import { callerOf, isAdminEndpoint } from './contract-endpoints.ts'
import { cloneDatabase } from './database.ts'
import {
  credentialsFor,
  makeClientApp,
  makeLinkedUser,
  makeSecret,
  withWebhookSecret,
  type TestApp,
} from './factories.ts'
import { connectAdmin, startHarness, type Harness } from './harness.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import { changesNothing, type Fields, type Setup } from './setup.ts'
import { mintSession } from './shop.ts'
import { SAME_ORIGIN } from './sign-in.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { stopSweeper, topupEnv } from './topup-setup.ts'

/** Callers without the required credentials. */
interface UnauthorizedCallers {
  otherApp: TestApp
  inactiveApp: TestApp
  /** An app with every scope but this one. */
  appWithout: Record<Scope, TestApp>
  /** An app with restricted secrets: one for each scope, and one that has all of them but another network. */
  restrictedApp: TestApp & { secretFor: ReadonlyMap<SecretScope, string>; secretElsewhere: string }
  /** A widget session. */
  sessionToken: string
}

export type ContractService = AdminTopupSetup &
  PersonSetup & { mail: MailServer; strangers: UnauthorizedCallers }

export type MakeInput = (service: ContractService) => Fields | Promise<Fields>

/** `disconnect` takes the database away from the service; `harness.admin` keeps its own connection. */
export async function openContractService(
  env: Record<string, string> = {},
): Promise<ContractService & { disconnect: () => Promise<void> }> {
  const [sandbox, mail, database] = await Promise.all([
    startSandbox(),
    startMailServer(),
    cloneDatabase(),
  ])
  const proxy = await startDatabaseProxy(database.url)
  const started = await startHarness({
    ...ADMIN_ENV,
    ...topupEnv(sandbox),
    ...mail.env,
    APP_REQUESTS_PER_SECOND: '1000000',
    SIGN_UPS_PER_HOUR: '1000000',
    DATABASE_URL: proxy.url,
    ...env,
  })
  const admin = await connectAdmin(database.url)
  const harness = withAddresses({ ...started, admin })
  const { context } = harness
  const { processor } = context
  assert(processor !== undefined)
  await stopSweeper({ harness })
  const app = await makeGrantedApp(context, { name: 'Corner shop', creditLimit: 100_00n })
  const user = await makeLinkedUser(context, app, 100_00n)
  return {
    harness,
    sandbox,
    mail,
    app,
    user,
    strangers: await makeUnauthorizedCallers({ harness, app, user }),
    person: await makeLinkedPerson(harness, app),
    owner: await makeOperator(harness, 'owner'),
    operator: await makeOperator(harness, 'operator'),
    viewer: await makeOperator(harness, 'viewer'),
    tools: { ...context, processor },
    calls: [],
    disconnect: () => proxy.stop(),
    async close() {
      await started.end()
      await proxy.stop()
      await admin.end()
      await Promise.all([sandbox.close(), mail.stop(), database.drop()])
    },
  }
}

async function makeGrantedApp(
  context: Harness['context'],
  options: Parameters<typeof makeClientApp>[1],
) {
  return withWebhookSecret(context, await makeClientApp(context, options))
}

async function makeUnauthorizedCallers(setup: Setup): Promise<UnauthorizedCallers> {
  const { context } = setup.harness
  const inactiveApp = await makeClientApp(context)
  await activateClientApp(context.db, inactiveApp.clientId, false)
  return {
    otherApp: await makeClientApp(context),
    inactiveApp,
    appWithout: {
      'wallet:read': await makeClientApp(context, { scopes: ['wallet:write'] }),
      'wallet:write': await makeClientApp(context, { scopes: ['wallet:read'] }),
    },
    restrictedApp: await makeRestrictedApp(setup),
    sessionToken: await mintSession(setup),
  }
}

async function makeRestrictedApp({ harness: { context } }: Setup) {
  const app = await makeClientApp(context)
  const secretFor = new Map<SecretScope, string>()
  for (const scope of SECRET_SCOPES) secretFor.set(scope, await makeSecret(context, app, [scope]))
  const elsewhere = ['203.0.113.0/24', '2001:db8::/48']
  return {
    ...app,
    secretFor,
    secretElsewhere: await makeSecret(context, app, SECRET_SCOPES, elsewhere),
  }
}

/** Each request comes from another address unless it names one, so that no limit per address affects the setup. */
function withAddresses(harness: Harness): Harness {
  let count = 0
  return {
    ...harness,
    inject: (options) => {
      count += 1
      const remoteAddress = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`
      return harness.inject({ remoteAddress, ...options })
    },
  }
}

async function makeLinkedPerson(harness: Harness, { id }: { id: bigint }) {
  const person = await makePerson(harness, 100_00n)
  return { ...person, serviceUserId: await link(harness.context.db, id, person.id) }
}

/** The same service with a separate caller, which tests of other endpoints do not affect. */
export async function withOwnCaller(
  service: ContractService,
  endpoint: Endpoint,
): Promise<ContractService> {
  const { harness } = service
  const caller = callerOf(endpoint)
  if (caller === 'person') {
    return { ...service, person: await makeLinkedPerson(harness, service.app) }
  }
  if (isAdminEndpoint(endpoint)) {
    return { ...service, [endpoint.role]: await makeOperator(harness, endpoint.role) }
  }
  if (caller === 'page') return service
  const app = await makeGrantedApp(harness.context, { creditLimit: 100_00n })
  return { ...service, app, user: await makeLinkedUser(harness.context, app, 100_00n) }
}

export type Headers = Record<string, string>

export interface Request {
  /** An array is sent as a parameter that is given several times; undefined is not sent. */
  query: Fields
  /** The body of a POST; a string or bytes are sent unchanged. */
  body: Fields | string | Buffer
  headers: Headers
  address?: string
}

/** What a legitimate caller sends. */
export function requestOf(service: ContractService, endpoint: Endpoint, input: Fields): Request {
  const inQuery = endpoint.method === 'GET' ? input : pick(input, endpoint.query?.shape ?? {})
  const inBody = Object.fromEntries(Object.entries(input).filter(([name]) => !(name in inQuery)))
  const request: Request = { query: inQuery, body: inBody, headers: headersOf(service, endpoint) }
  if (callerOf(endpoint) !== 'app') return request
  return withFields(request, endpoint, credentialsFor(service.app, endpoint))
}

function pick(fields: Fields, names: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in names))
}

export function headersOf(service: ContractService, endpoint: Endpoint): Headers {
  const caller = callerOf(endpoint)
  if (caller === 'app' || caller === 'session') return {}
  if (caller === 'page') return { ...SAME_ORIGIN }
  if (!isAdminEndpoint(endpoint)) return { ...SAME_ORIGIN, cookie: service.person.cookie }
  return { ...SAME_ORIGIN, cookie: service[endpoint.role].cookie }
}

/** The request with other fields where the endpoint reads them. */
export function withFields(request: Request, { method }: Endpoint, fields: Fields): Request {
  if (method === 'GET') return { ...request, query: { ...request.query, ...fields } }
  assert(typeof request.body === 'object' && !Buffer.isBuffer(request.body))
  return { ...request, body: { ...request.body, ...fields } }
}

export function withHeaders(request: Request, headers: Headers): Request {
  return { ...request, headers: { ...request.headers, ...headers } }
}

export function send(
  { harness }: Pick<ContractService, 'harness'>,
  { method, path }: Endpoint,
  { query, body, headers, address }: Request,
): Promise<LightMyRequestResponse> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values) if (each !== undefined) parameters.append(name, `${each}`)
  }
  const from = address === undefined ? {} : { remoteAddress: address }
  const url = parameters.size === 0 ? path : `${path}?${parameters}`
  if (method === 'GET') return harness.inject({ method, url, headers, ...from })
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const payload = isRaw ? body : JSON.stringify(body)
  const all = { 'content-type': 'application/json', ...headers }
  return harness.inject({ method, url, payload, headers: all, ...from })
}

/** Neither the database nor the card processor changes. */
export async function changesNothingAnywhere(
  { harness, sandbox }: Pick<ContractService, 'harness' | 'sandbox'>,
  act: () => Promise<void>,
) {
  const { paymentIntents } = sandbox.state
  const before = paymentIntents.size
  await changesNothing({ harness }, act)
  assert.equal(paymentIntents.size, before)
}
