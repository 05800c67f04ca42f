/** One plan on the service and on the model: sends the calls and compares the answers. */
import { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import * as signIn from '@coffer/contract/admin/sign-in'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type { TOTP } from 'otpauth'
import type { Context } from '../../server/context.ts'
import { ServiceError } from '../../server/service-error.ts'
import { ask, cookieOf } from '../../server/test/account-setup.ts'
import {
  makeClientApp,
  makeUser,
  type TestApp,
  type TestUser,
} from '../../server/test/factories.ts'
import { link } from '../../server/identity/link.ts'
import { askToConfirm, requestLogInChallenge } from '../../server/test/passkey-setup.ts'
import type { Fields } from '../../server/test/setup.ts'
import { assertAnswer, nameAnswer } from './compare.ts'
import type { Plan } from './commands.ts'
import type { Loss, Proposal, ReleaseProposal } from './decide.ts'
import {
  admit,
  at,
  BALANCE_MAX,
  DONE,
  DRIFT_MS,
  isConfirmed,
  isLoggedIn,
  startLogIn,
  newState,
  passTime,
  record,
  type Answer,
  type Settings,
  type State,
} from './model.ts'
import { RULES, type EndpointName } from './roles.ts'
import { giveLogIn, resetOperators, type GrantsSetup } from './setup.ts'

export interface Call {
  who: number
  name: EndpointName
  fields: Fields
  /** For the must-hit list: what kind of thing it is about. */
  about?: string | undefined
  /** What the model says after the checks that all endpoints share. */
  expect: (state: State) => Answer
  /** Whether the answer of the ledger is lost. */
  loss?: Loss
  /** Takes over what the service chose. */
  learn?: (body: Record<string, unknown>) => void
}

/** What the driver knows about an operator, and the model does not. */
export interface Browser {
  cookie: string
  /** Of an operator who was created in the plan. */
  password: string
  wrongTries: number
  lastCode: string | null
}

/** A request that can be repeated. */
export type Sent =
  | { who: number; name: 'proposeGrant'; given: Proposal; text: string }
  | { who: number; name: 'releaseHold'; given: ReleaseProposal }

const FIRST_BALANCE = 50_00
const STARTING_LIMIT = 20_00

export class Run {
  readonly setup: GrantsSetup
  readonly plan: Plan
  readonly #note: (step: string) => void
  readonly #hit: (name: string) => void
  state: State = newState()
  readonly browsers: Browser[] = []
  readonly users: TestUser[] = []
  readonly sent: Sent[] = []
  /** The authenticators, by operator. */
  readonly totps = new Map<number, TOTP>()
  /** Of the app, by the id of the hold. */
  readonly holdReferences = new Map<string, string>()
  /** Commands of which the order is not known. */
  readonly races = new Set<number>()
  afterAudit = '0'
  #startMs = 0

  constructor(
    setup: GrantsSetup,
    plan: Plan,
    { note, hit }: { note: (step: string) => void; hit: (name: string) => void },
  ) {
    this.setup = setup
    this.plan = plan
    this.#note = note
    this.#hit = hit
  }

  get harness() {
    return this.setup.service.harness
  }

  /** If the machine was busy for so long, the model does not know what has ended. */
  get isTooSlow(): boolean {
    return Date.now() - this.#startMs - this.state.nowMs > DRIFT_MS
  }

  note(step: string) {
    this.#note(`${this.state.step}. ${step}`)
  }

  hit(name: string) {
    this.#hit(name)
  }

  /** Operators, two people with a wallet and one without money, an app in use and one that is not. */
  async addShop() {
    const { state, setup, plan } = this
    setup.plans++
    const members = [{ role: 'owner' as const, createdBy: null }, ...plan.operators].map(
      ({ role, createdBy }, index) => ({
        role,
        createdBy: createdBy !== null && createdBy < index ? createdBy : null,
      }),
    )
    this.afterAudit = await resetOperators(setup, members)
    this.#startMs = Date.now()
    for (const [index, { role, createdBy }] of members.entries()) {
      const { id, email, password } = at(setup.slots, index)
      const known = { isActive: true, hasAuthenticator: true, hasPasskey: true, logIn: null }
      state.operators.push({ id: String(id), email, role, createdBy, resetBy: [], ...known })
      this.browsers.push({ cookie: '', password, wrongTries: 0, lastCode: null })
      this.totps.set(index, at(setup.slots, index).totp)
      await this.logInWithoutSteps(index)
    }
    await this.#addPeople()
    await this.#addApps()
  }

  async #addPeople() {
    const balances = [this.plan.isRich ? BALANCE_MAX - 50_00 : FIRST_BALANCE, FIRST_BALANCE, 0]
    for (const balance of balances) {
      const user = await makeUser(this.harness.context, BigInt(balance))
      this.users.push(user)
      const history = balance > 0 ? [{ kind: 'bonus' as const, amount: balance, grant: null }] : []
      const money = { balance, held: 0, isFrozen: false, isErased: false, isLinked: false, history }
      this.state.people.push({ id: String(user.id), ...money })
    }
  }

  async #addApps() {
    for (const isInUse of [true, false]) {
      const settings: Settings = {
        name: isInUse ? 'Used shop' : 'New shop',
        scopes: ['wallet:read'],
        allowedOrigins: [],
        allowedIframeParents: isInUse ? [this.originAt(0)] : [],
        contactEmails: [],
      }
      const app = await makeClientApp(this.harness.context, {
        ...settings,
        scopes: ['wallet:read'],
        creditLimit: BigInt(STARTING_LIMIT),
      })
      this.state.apps.push({
        clientId: app.clientId,
        settings,
        isActive: true,
        isInUse: false,
        pause: null,
        creditLimit: STARTING_LIMIT,
        secrets: [{ id: '', endsMs: null }],
        webhooks: [],
      })
      if (isInUse) await this.linkTo(0, app)
    }
    await this.bindIds()
  }

  originAt(index: number): string {
    return `https://page${index}.plan${this.setup.plans}.example`
  }

  async linkTo(appAt: number, { id }: Pick<TestApp, 'id'>) {
    await link(this.harness.context.db, id, at(this.users, 0).id)
    at(this.state.apps, appAt).isInUse = true
    at(this.state.people, 0).isLinked = true
  }

  pass(ms: number) {
    const before = this.state.nowMs
    passTime(this.state, ms)
    this.setup.service.clock.advanceMs(this.state.nowMs - before)
    this.note(`${Math.round((this.state.nowMs - before) / 1000)} seconds pass`)
  }

  // Calls

  /** The model answers first, because the state changes meanwhile. */
  answerOf(state: State, { who, name, expect }: Call): Answer {
    return admit(state, who, name) ?? expect(state)
  }

  async send({ who, name, fields, loss }: Call): Promise<LightMyRequestResponse> {
    const { context } = this.harness
    const endpoint: AdminEndpoint = ADMIN_ENDPOINTS[name]
    const person = { cookie: at(this.browsers, who).cookie }
    const send = () => ask({ harness: this.harness, person }, endpoint, fields)
    return loss ? losing(context, loss, send) : send()
  }

  async call(call: Call): Promise<void> {
    this.setup.sent.length = 0
    this.state.notified = []
    const answer = this.answerOf(this.state, call)
    const response = await this.send(call)
    this.#check(call, answer, response)
    if (call.name === 'approveGrant') this.#compareContacts()
    await this.#finish(call, response)
  }

  /** A request without any field: the table says who may send it, and what comes back. */
  async callWithNothing(who: number, name: EndpointName) {
    const call = { who, name, fields: {} }
    const { toNothing, audit } = RULES[name]
    const operator = at(this.state.operators, who)
    const refusal = admit(this.state, who, name)
    const response = await this.send({ ...call, expect: () => DONE })
    const code = response.statusCode === 200 ? '200' : response.json<{ code: string }>().code
    const allowed = toNothing === 'done' ? '200' : 'INVALID_REQUEST'
    const expected = refusal === undefined ? allowed : nameAnswer(refusal)
    this.note(`${operator.role} ${who} ${name} {} → ${code}`)
    assert.equal(code, expected, `${name} as ${operator.role}: ${response.body}`)
    this.hit(
      `${name} as ${operator.role} ${code === expected && refusal === undefined ? 'allowed' : code}`,
    )
    if (code !== '200' || audit === undefined) return
    record(this.state, who, audit.action, audit.isAboutOperator ? operator.email : null)
  }

  describe({ who, name, fields, loss }: Call): string {
    const email = at(this.state.operators, who).email.slice(0, 6)
    return `${who} (${email}) ${name} ${JSON.stringify(fields)}${loss ? `, lost ${loss}` : ''}`
  }

  #check(call: Call, answer: Answer, response: LightMyRequestResponse) {
    const { name } = call
    this.note(`${this.describe(call)} → ${response.statusCode} ${response.body.slice(0, 300)}`)
    const what = `step ${this.state.step}: ${name} by ${call.who}`
    assertAnswer(response, ADMIN_ENDPOINTS[name], answer, what)
    this.hit(`${name} ${nameAnswer(answer)}`)
    if (call.about !== undefined) this.hit(`${name} ${call.about} ${nameAnswer(answer)}`)
  }

  async #finish({ learn }: Call, response: LightMyRequestResponse) {
    if (response.statusCode === 200 && learn) learn(response.json())
    await this.bindIds()
  }

  /** Who learns of an approval by email. */
  #compareContacts() {
    const { notified } = this.state
    assert.deepEqual(this.setup.sent.toSorted(), notified.toSorted(), 'emails to the contacts')
    if (notified.length > 0) this.hit('approveGrant contacts')
  }

  /** The answers are those of one order. */
  async race(calls: readonly [Call, Call]): Promise<void> {
    this.races.add(this.state.step)
    const responses = await Promise.all(calls.map((call) => this.send(call)))
    const recorded = await this.#readRecorded()
    const failures: unknown[] = []
    for (const areCheckedTogether of [false, true])
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        const state = { ...structuredClone(this.state), areCheckedTogether }
        const answers = order.map((index) => this.answerOf(state, at(calls, index)))
        try {
          for (const [nth, index] of order.entries())
            this.#check(at(calls, index), at(answers, nth), at(responses, index))
          const names = calls.map(({ name }) => name).join(' and ')
          const amounts = state.grants.map(({ amount }) => String(amount)).toSorted()
          const limits = state.apps.map(({ creditLimit }) => String(creditLimit))
          assert.deepEqual(recorded, { amounts, limits }, `recorded after ${names}`)
          this.state = { ...state, areCheckedTogether: false }
          this.hit(`together ${calls[0].name} ${calls[1].name}`)
          const made = state.grants.slice(-2)
          if (
            names === 'proposeGrant and proposeGrant' &&
            made[0]?.needsSecond !== made[1]?.needsSecond
          )
            this.hit('together one needs a second operator')
          await this.bindIds()
          return
        } catch (error) {
          failures.push(error)
        }
      }
    throw failures[0]
  }

  /** What tells apart two orders with the same answers: the amounts of the grants and the limits of the apps. */
  async #readRecorded() {
    const { admin } = this.harness
    const grants = await admin.query<{ amount: string | null }>(
      'select amount::text from admin.grants',
    )
    const limits = await admin.query<{ credit_limit: string | null }>(
      `select l.credit_limit::text from unnest($1::text[]) with ordinality as c (client_id, position)
        join directory.client_apps a using (client_id) join ledger.accounts l on l.id = a.account_id
        order by c.position`,
      [this.state.apps.map(({ clientId }) => clientId)],
    )
    return {
      amounts: grants.rows.map(({ amount }) => String(amount)).toSorted(),
      limits: limits.rows.map((row) => String(row.credit_limit)),
    }
  }

  /** Ids that the service chose: of grants about apps, and of secrets. */
  async bindIds() {
    const { admin } = this.harness
    const { grants, apps, operators } = this.state
    const unbound = grants.filter(({ id }) => id === '')
    if (unbound.length > 0) {
      const { rows } = await admin.query<{
        id: string
        kind: string
        client_id: string
        proposed_by: string
        credit_limit: string | null
      }>(
        `select g.id, g.kind, a.client_id, g.proposed_by::text, g.credit_limit::text from admin.grants g
          join directory.client_apps a on a.id = g.client_app_id where g.id <> all($1::uuid[])`,
        [grants.map(({ id }) => id).filter((id) => id !== '')],
      )
      for (const grant of unbound) {
        const limit = grant.creditLimit === null ? null : String(grant.creditLimit)
        const found = rows.find(
          (row) =>
            row.kind === grant.kind &&
            row.client_id === at(apps, grant.app ?? -1).clientId &&
            row.proposed_by === at(operators, grant.proposer).id &&
            row.credit_limit === limit,
        )
        assert(
          found !== undefined,
          `step ${this.state.step}: the service has no ${grant.kind} that the model has`,
        )
        grant.id = found.id
      }
    }
    for (const { clientId, secrets } of apps) {
      for (const secret of secrets.filter(({ id }) => id === '')) {
        const { rows } = await admin.query<{ id: string }>(
          `select s.id::text from directory.client_secrets s join directory.client_apps a on a.id = s.client_app_id
            where a.client_id = $1 order by s.id desc limit 1`,
          [clientId],
        )
        secret.id = rows[0]?.id ?? assert.fail('no secret')
      }
    }
  }

  // Logins

  /** A browser in which the operator is logged in, without the steps of a login. */
  async logInWithoutSteps(who: number) {
    at(this.browsers, who).cookie = await giveLogIn(this.harness, at(this.state.operators, who).id)
    startLogIn(this.state, who)
  }

  /** Logs in or confirms, if that is needed and the operator can. */
  async makeReady(who: number) {
    const operator = at(this.state.operators, who)
    if (!operator.isActive) return
    if (isLoggedIn(this.state, operator)) {
      if (!isConfirmed(this.state, operator)) await this.confirmByPasskey(who)
    } else if (operator.hasPasskey) await this.logInByPasskey(who)
    else await this.logInWithoutSteps(who)
  }

  async logInByPasskey(who: number) {
    const passkey = at(this.setup.slots, who).key.sign(await requestLogInChallenge(this))
    const response = await ask(this, signIn.logInByPasskey, { passkey })
    assertAnswer(response, signIn.logInByPasskey, DONE, `login of ${who}`)
    at(this.browsers, who).cookie = cookieOf(response)
    startLogIn(this.state, who)
    this.#recordOwn(who, 'operator.log_in', { means: 'passkey' })
    this.note(`${who} logs in with a passkey`)
  }

  async confirmByPasskey(who: number) {
    const operator = at(this.state.operators, who)
    if (!operator.hasPasskey) return this.logInWithoutSteps(who)
    const asked = await askToConfirm(this, at(this.browsers, who))
    const passkey = at(this.setup.slots, who).key.sign(asked)
    await this.call({
      who,
      name: 'confirmByPasskey',
      fields: { passkey },
      expect: (state) => confirm(state, who, 'passkey'),
    })
  }

  #recordOwn(who: number, action: string, after: Record<string, unknown>) {
    record(this.state, who, action, at(this.state.operators, who).email, { after })
  }
}

export function confirm(state: State, who: number, means: string): Answer {
  const operator = at(state.operators, who)
  if (operator.logIn) operator.logIn.confirmedMs = state.nowMs
  record(state, who, 'operator.confirm', operator.email, { after: { means } })
  return DONE
}

/** The answer of the ledger to the service is lost. */
async function losing<Result>(
  context: Context,
  loss: 'before' | 'after',
  act: () => Promise<Result>,
): Promise<Result> {
  const { ledger } = context
  const post = ledger.post.bind(ledger)
  ledger.post = async (...given) => {
    if (loss === 'after') await post(...given)
    throw new ServiceError('SERVICE_UNAVAILABLE')
  }
  try {
    return await act()
  } finally {
    Reflect.deleteProperty(ledger, 'post')
  }
}
