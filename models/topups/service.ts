/** The service with a simulated card processor in this process, and people who are logged in and linked to two apps. */
import { COOKIE, startLogIn } from '../../server/account/require-log-in.ts'
import type { Endpoint } from '@coffer/contract/endpoint'
import { createSession } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import { createServiceUser } from '../../server/identity/create-service-user.ts'
import { link } from '../../server/identity/link.ts'
import type { TopupTools } from '../../server/topup/topup-tools.ts'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { ask } from '../../server/test/account-setup.ts'
import { ADMIN_ENV, makeOperator, type TestOperator } from '../../server/test/admin-setup.ts'
import { makeClientApp, type TestApp } from '../../server/test/factories.ts'
import type { Harness } from '../../server/test/harness.ts'
import { call, type Fields } from '../../server/test/setup.ts'
import { inventEmail, PASSWORD } from '../../server/test/sign-in.ts'
import { inSession, post, topupEnv } from '../../server/test/topup-setup.ts'
import { startTestService, type TestService } from '../start-test-service.ts'
import { cacheHashes } from '../cache-hashes.ts'
import { LIMITS, MINUTE_MS } from './state.ts'

const CALL_TIMEOUT_MS = 60_000
export const NEW_PASSWORD = 'another sound passphrase'

export interface Service extends TestService {
  sandbox: RunningSandbox
  tools: TopupTools
  operator: TestOperator
}

export async function openService(): Promise<Service> {
  const sandbox = await startSandbox()
  const toText = (minor: number) => (minor / 100).toFixed(2)
  const service = await startTestService({
    ...ADMIN_ENV,
    ...topupEnv(sandbox),
    APP_REQUESTS_PER_SECOND: '1000000',
    TOPUP_MIN: toText(LIMITS.min),
    TOPUP_MAX: toText(LIMITS.max),
    TOPUP_MAX_PER_DAY: toText(LIMITS.perDay),
    TOPUPS_PER_HOUR: String(LIMITS.perHour),
  })
  const { context } = service.harness
  const { processor } = context
  if (!processor) throw new Error('The service has no card processor.')
  setTimeouts(processor)
  // A new login must find the hash that is stored.
  cacheHashes(context.passwords, 1)
  const operator = await makeOperator(service.harness, 'owner')
  await keepConfirmed(service.harness, operator)
  async function close() {
    await service.close()
    await sandbox.close()
  }
  return { ...service, sandbox, operator, tools: { ...context, processor }, close }
}

/** Lost calls are repeated at once, and a slow machine loses no others. */
function setTimeouts({ stripe }: TopupTools['processor']) {
  const api = stripe as unknown as { getApiField(name: string): unknown }
  const read = api.getApiField.bind(stripe)
  const getApiField = (name: string) => (name === 'timeout' ? CALL_TIMEOUT_MS : read(name))
  const getRetryDelay = () => 0
  const delays = {
    getInitialNetworkRetryDelay: getRetryDelay,
    getMaxNetworkRetryDelay: getRetryDelay,
  }
  Object.assign(stripe, { getApiField, ...delays })
}

interface PayerLink {
  app: TestApp
  serviceUserId: string
}

interface Session {
  token: string
  createdMs: number
}

/** A person, with a browser that is logged in and a widget session per app. */
export class TestPayer {
  readonly id: bigint
  readonly walletId: bigint
  readonly email: string
  readonly #service: Service
  readonly #links: PayerLink[] = []
  readonly #sessions: Session[][] = [[], []]
  password = PASSWORD
  #cookie = ''
  #loggedInMs = -Infinity
  isDeleted = false

  private constructor(service: Service, user: { id: bigint; walletId: bigint; email: string }) {
    this.#service = service
    this.id = user.id
    this.walletId = user.walletId
    this.email = user.email
  }

  static async make(service: Service, apps: readonly TestApp[]): Promise<TestPayer> {
    const { context } = service.harness
    const email = inventEmail()
    const passwordHash = await context.passwords.hash(PASSWORD)
    const about = { firstName: 'Ada', lastName: 'Example', email, passwordHash, isVerified: true }
    const payer = new TestPayer(service, { ...(await createServiceUser(context, about)), email })
    for (const app of apps) {
      payer.#links.push({ app, serviceUserId: await link(context.db, app.id, payer.id) })
    }
    return payer
  }

  async askAccount(endpoint: Endpoint, fields: Fields = {}): Promise<LightMyRequestResponse> {
    const { harness } = this.#service
    if (!this.isDeleted && Date.now() - this.#loggedInMs > 20 * MINUTE_MS) await this.#logIn()
    return ask({ harness, person: { cookie: this.#cookie } }, endpoint, fields)
  }

  async #logIn() {
    const { context } = this.#service.harness
    const passwordHash = await context.passwords.hash(this.password)
    const token = await startLogIn(context, { userId: this.id, passwordHash }, 'model', undefined)
    this.#cookie = `${COOKIE}=${token}`
    this.#loggedInMs = Date.now()
  }

  changePassword(password: string) {
    this.password = password
    this.#loggedInMs = -Infinity
  }

  /** The newest session if it is live, or a new one. undefined: the app can create none. */
  async findSession(app: number, areLinksEnded: boolean): Promise<Session | undefined> {
    const sessions = this.#sessions[app] ?? []
    const last = sessions.at(-1)
    if (areLinksEnded || (last && Date.now() - last.createdMs < 4 * MINUTE_MS)) return last
    const { app: client, serviceUserId } = this.#links[app] as PayerLink
    const response = await call({ harness: this.#service.harness, app: client }, createSession, {
      serviceUserId,
    })
    if (response.statusCode !== 200) throw new Error(response.body)
    const session = {
      token: response.json<{ sessionToken: string }>().sessionToken,
      createdMs: Date.now(),
    }
    sessions.push(session)
    return session
  }

  endSessions() {
    for (const sessions of this.#sessions)
      sessions.push({ token: sessions.at(-1)?.token ?? '', createdMs: -Infinity })
  }

  oldestSession(app: number): Session | undefined {
    return this.#sessions[app]?.find(({ token }) => token !== '')
  }

  askWidget(
    session: Session,
    endpoint: Endpoint,
    fields: Fields = {},
  ): Promise<LightMyRequestResponse> {
    const { harness } = this.#service
    if (endpoint.method === 'POST')
      return post({ harness }, inSession(endpoint, session.token), fields)
    return harness.inject({ method: 'GET', url: `${endpoint.path}?session=${session.token}` })
  }

  askApp(app: number, endpoint: Endpoint, fields: Fields): Promise<LightMyRequestResponse> {
    const { app: client, serviceUserId } = this.#links[app] as PayerLink
    return call({ harness: this.#service.harness, app: client }, endpoint, {
      serviceUserId,
      ...fields,
    })
  }
}

export async function makeApps({ harness }: Service): Promise<TestApp[]> {
  return [
    await makeClientApp(harness.context, { name: 'Shop A' }),
    await makeClientApp(harness.context, { name: 'Shop B' }),
  ]
}

/** As if the operator always had just confirmed: hours pass in every plan. */
async function keepConfirmed({ admin }: Harness, { id }: TestOperator) {
  const later = `now() + interval '100 years'`
  await admin.query(
    `update admin.log_ins set last_seen_at = ${later}, confirmed_at = ${later}, expires_at = ${later}
      where operator_id = $1`,
    [id],
  )
  await admin.query('update admin.operators set last_seen_at = now() where id = $1', [id])
}

export function askOperator(
  { harness, operator }: Service,
  endpoint: Endpoint,
  fields: Fields = {},
): Promise<LightMyRequestResponse> {
  return ask({ harness, person: operator }, endpoint, fields)
}
