/** One plan on the service: its apps and people, and calls as each of them. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { createServiceUser } from '../../server/identity/create-service-user.ts'
import { digestPair } from '../../server/ledger/digest.ts'
import { ask } from '../../server/test/account-setup.ts'
import { makeClientApp, makeSecret, type TestApp } from '../../server/test/factories.ts'
import type { Harness } from '../../server/test/harness.ts'
import { call, type Fields } from '../../server/test/setup.ts'
import { inventEmail } from '../../server/test/sign-in.ts'
import { Bindings } from '../bind.ts'
import type { Plan } from './commands.ts'
import { describePairs } from './describe-pairs.ts'
import { RequestMaker } from './make-request.ts'
import { Model } from './model.ts'
import type { Answer, App, Request, Wallet } from './state.ts'
import { logInOperator, logInPerson, type MoneySetup } from './setup.ts'

/** No plan takes so long that it reaches a boundary by itself. */
export const MARGIN_MS = 60_000

interface Person {
  id: bigint
  walletId: bigint
  /** The Cookie header, and when the login began. */
  login: { cookie: string; since: number }
}

export class Run {
  readonly setup: MoneySetup
  readonly plan: Plan
  readonly requests: RequestMaker
  readonly note: (step: string) => void
  readonly hit: (name: string) => void
  model = new Model()
  bindings = new Bindings()
  readonly #apps: TestApp[] = []
  /** Of each app, the restricted one. */
  readonly #secrets: string[] = []
  readonly #people: Person[] = []
  /** When time last passed. */
  movedAtMs = Date.now()
  #operator = { cookie: '', since: -1 }
  #calls = 0

  constructor(
    setup: MoneySetup,
    plan: Plan,
    { note, hit }: { note: (step: string) => void; hit: (name: string) => void },
  ) {
    this.setup = setup
    this.plan = plan
    this.requests = new RequestMaker(plan)
    this.note = note
    this.hit = hit
    this.model.findEnd = ({ wallet, entry, seconds, app, referenceType, referenceId }) => {
      const placedAt = this.bindings.get(`at ${wallet.index} ${entry?.seq}`)
      if (placedAt === undefined) return [Infinity, '']
      const tie = digestPair(this.appOf(app).ledgerAccount, referenceType, referenceId)
      return [Date.parse(placedAt) + 1000 * seconds, tie]
    }
  }

  /** Time has passed by itself, because the machine is busy: the model does not know what has ended. */
  get isTooSlow(): boolean {
    return Date.now() - this.movedAtMs > MARGIN_MS
  }

  async addApp({ onMismatch, creditLimit: given, secretScopes }: Plan['apps'][number]) {
    const creditLimit = this.plan.isRich ? null : given
    const { context } = this.setup.harness
    const index = this.#apps.length
    const name = `Shop ${'AB'[index]}`
    const made = await makeClientApp(context, {
      name,
      onMismatch,
      creditLimit: creditLimit === null ? 'unlimited' : BigInt(creditLimit),
      getsBalanceEvents: index === 1,
    })
    this.#apps.push(made)
    this.#secrets.push(await makeSecret(context, made, secretScopes))
    const { clientId } = made
    this.model.addApp({ name, clientId, onMismatch, creditLimit, secretScopes })
  }

  async addPerson() {
    const { harness, passwordHash, passed } = this.setup
    const name = { firstName: 'Ada', lastName: 'Example' }
    const email = inventEmail()
    const about = { ...name, email, passwordHash, isVerified: true }
    const { id, walletId } = await createServiceUser(harness.context, about)
    const cookie = await logInPerson(this.setup, id)
    this.#people.push({ id, walletId, login: { cookie, since: passed.times } })
    this.model.addWallet()
  }

  /** The model's state may be a copy, so apps and wallets are known by their position. */
  appOf({ index }: App): TestApp {
    return this.#apps[index] as TestApp
  }

  personOf({ index }: Wallet): Person {
    return this.#people[index] as Person
  }

  /** To the two processes in turn. */
  sendAs(
    app: App,
    endpoint: Endpoint,
    fields: Fields,
    isRestricted = false,
  ): Promise<LightMyRequestResponse> {
    const harness = this.setup.processes[++this.#calls % 2] as Harness
    const secret = isRestricted && { clientSecret: this.#secrets[app.index] as string }
    return call({ harness, app: { ...this.appOf(app), ...secret } }, endpoint, fields)
  }

  async askAsPerson(
    wallet: Wallet,
    endpoint: Endpoint,
    fields: Fields = {},
  ): Promise<LightMyRequestResponse> {
    const { harness, passed } = this.setup
    const person = this.personOf(wallet)
    if (person.login.since !== passed.times) {
      const cookie = await logInPerson(this.setup, person.id)
      person.login = { cookie, since: passed.times }
    }
    return ask({ harness, person: person.login }, endpoint, fields)
  }

  async askAsOperator(endpoint: Endpoint, fields: Fields = {}): Promise<LightMyRequestResponse> {
    const { harness, passed } = this.setup
    if (this.#operator.since !== passed.times)
      this.#operator = { cookie: await logInOperator(this.setup), since: passed.times }
    return ask({ harness, person: this.#operator }, endpoint, fields)
  }

  /** What the model answers to a request. Counts it. */
  expect({ index }: App, request: Request, isRestricted = false): Answer {
    const app = this.model.app(index)
    const answer = this.model.execute(app, request, isRestricted)
    const { status, body, replayed, mismatch } = answer
    const repeat = replayed ? (mismatch === undefined ? ' again' : ' differs') : ''
    for (const pair of describePairs(this.model, app, request, answer)) this.hit(pair)
    const outcome = typeof body['code'] === 'string' ? body['code'] : status
    this.hit(`${request.type} ${outcome}${repeat}`)
    this.note(`${app.name} ${JSON.stringify(request)} → ${status} ${JSON.stringify(body)}${repeat}`)
    return answer
  }

  compare(response: LightMyRequestResponse, expected: Answer, what: string) {
    const { status, body, replayed, mismatch, retryAfterSeconds } = expected
    const { headers } = response
    const actual = { status: response.statusCode, body: response.json<unknown>() }
    this.bindings.match(actual, { status, body }, what)
    assert.equal(headers['idempotency-replayed'], replayed && 'true', `${what}: replayed`)
    assert.equal(headers['idempotency-mismatch'], mismatch, `${what}: mismatch`)
    assert.equal(headers['retry-after'], retryAfterSeconds?.toString(), `${what}: Retry-After`)
  }

  /** Whether this plan compares a view. */
  reads(view: string): boolean {
    let hash = this.plan.reader
    for (const letter of view) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
    return hash % 3 === 0
  }
}
