/** One plan in progress: its apps, people and receivers, on the service and in the model. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { readEvents, type event as eventShape } from '@coffer/contract/server/events'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { askAs } from '../../server/test/admin-setup.ts'
import type { TestApp, TestUser } from '../../server/test/factories.ts'
import { assertRefusal, call, type Fields } from '../../server/test/setup.ts'
import type { AnswerName } from './answers.ts'
import type { ActorChoice, OfWebhook, SettingsChoice } from './commands.ts'
import type { Read } from './compare.ts'
import * as rules from './model.ts'
import { during, type Setup } from './setup.ts'

export type ShownEvent = z.output<typeof eventShape>

interface Known {
  test: TestApp
  name: string
  /** Where the reader of the feed continues. */
  cursor: string | undefined
}

export const SECOND = 1_000
export const HOUR = 3_600 * SECOND
export const DAY = 24 * HOUR
/** So much later, no time of the model is right now. */
const EDGE_MS = SECOND
/** Less than the time after which a change becomes possible again. */
const REFILL_MS = 15 * SECOND
export const UNKNOWN_ID = `wh_${'0'.repeat(32)}`
export const RECEIVERS = 4

export class Run {
  readonly setup: Setup
  readonly hit: (what: string) => void
  readonly apps: rules.App[] = []
  readonly known = new Map<rules.App, Known>()
  readonly people: (rules.Person & { user: TestUser })[] = []
  readonly holds: rules.Hold[] = []
  readonly bodies = new Map<rules.Event, string>()
  readonly urls: string[]
  /** Until when the operations were read for changed balances. */
  readToMs = Date.now()
  readonly #startMs = performance.now()

  constructor(setup: Setup, hit: (what: string) => void) {
    this.setup = setup
    this.hit = hit
    const name = randomBytes(6).toString('hex')
    const urls = Array.from({ length: RECEIVERS }, (_, index) => `/${name}/${index}`)
    this.urls = urls.map((path) => `${setup.receivers.base}${path}`)
  }

  app(index: number): rules.App {
    return this.apps[index] ?? assert.fail('a plan has two apps')
  }

  /** A change becomes possible again after 20 seconds, which pass outside of the clock of a plan. */
  isOverLong(): boolean {
    const isUsedUp = this.apps.some(({ managed }) => managed >= rules.MANAGED_MAX)
    return isUsedUp && performance.now() - this.#startMs > REFILL_MS
  }

  knownOf(app: rules.App): Known {
    return this.known.get(app) ?? assert.fail('the app belongs to another plan')
  }

  actor(app: rules.App, choice: ActorChoice): rules.Actor {
    if (choice.of === 'viewer') return { operator: -1, role: 'viewer' }
    if (choice.of === 'operator') return { operator: choice.index, role: 'operator' }
    const secrets = app.secrets.get(`hooks${choice.name}`) ?? []
    if (choice.which === 'plain') return { secret: undefined }
    return { secret: secrets.at(choice.which === 'older' ? -2 : -1) ?? secrets[0] }
  }

  settings({ receiver, types, description }: SettingsChoice): rules.Settings {
    const url = receiver === null ? 'https://10.0.0.1/' : this.urls[receiver]
    return { url: url ?? assert.fail('there are four receivers'), types, description }
  }

  webhook(app: rules.App, { webhook, isForeign }: Pick<OfWebhook, 'webhook' | 'isForeign'>) {
    const from = isForeign ? this.apps.find((each) => each !== app) : app
    const all = from?.webhooks ?? []
    return all[webhook % Math.max(1, all.length)]
  }

  /** Calls the endpoint of the app, or the one of operators. */
  async send(
    app: rules.App,
    actor: rules.Actor,
    [own, admin]: readonly [Endpoint, Endpoint],
    fields: Fields,
  ): Promise<{ response: LightMyRequestResponse; at: rules.Span }> {
    const { harness, operators, viewer } = this.setup
    const { test } = this.knownOf(app)
    const { result: response, at } = await during(() => {
      if (rules.isOwner(actor)) {
        const clientSecret = actor.secret?.value ?? test.clientSecret
        return call({ harness, app: { ...test, clientSecret } }, own, fields)
      }
      const who = actor.role === 'viewer' ? viewer : operators[actor.operator]
      const all = { clientId: app.clientId, ...fields }
      return askAs({ harness }, who ?? assert.fail('there are two operators'), admin, all)
    })
    return { response, at }
  }

  /** Returns the body of a success; undefined: it was refused as expected. */
  judge<Own extends Endpoint, Admin extends Endpoint>(
    response: LightMyRequestResponse,
    {
      actor,
      of,
      refusal,
    }: { actor: rules.Actor; of: readonly [Own, Admin]; refusal: rules.Refusal },
  ): z.output<Own['response'] | Admin['response']> | undefined {
    const isOwn = rules.isOwner(actor)
    const endpoint = isOwn ? of[0] : of[1]
    this.hit(`${endpoint.path} ${refusal?.code ?? 'ok'}${isOwn ? '' : ' by operator'}`)
    if (refusal) {
      assertRefusal(response, endpoint, refusal.code, refusal.field)
      return undefined
    }
    assert.equal(response.statusCode, 200, response.body)
    endpoint.response.parse(response.json())
    return response.json()
  }

  person(index: number) {
    return this.people[index] ?? assert.fail('a plan has two people')
  }

  async readPage(
    app: rules.App,
    fields: Fields,
  ): Promise<{ events: ShownEvent[]; nextCursor: string }> {
    app.isUsed = true
    const { test } = this.knownOf(app)
    const response = await call({ harness: this.setup.harness, app: test }, readEvents, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  /** No retry and no expiry is due in the next moment, so both sides agree on what is. */
  async avoidBoundaries() {
    for (let times = 0; times < 20; times++) {
      const now = Date.now()
      const isNear = this.dueTimes().some((ms) => ms > now && ms < now + EDGE_MS)
      if (!isNear) return
      await this.setup.pass(EDGE_MS)
    }
  }

  dueTimes(): number[] {
    const deliveries = this.apps.flatMap(({ webhooks }) =>
      webhooks.flatMap((each) => [...each.deliveries.values()]),
    )
    const nexts = deliveries.flatMap(({ next }) => (next ? [next.fromMs] : []))
    return [...nexts, ...this.holds.map(({ expiresMs }) => expiresMs)]
  }

  async pass(ms: number | 'due') {
    const now = Date.now()
    const later = this.dueTimes().filter((each) => each > now)
    const chosen =
      ms === 'due' ? (later.length > 0 ? Math.min(...later) - now + EDGE_MS : SECOND) : ms
    if (!(await this.setup.pass(Math.ceil(chosen)))) return
    for (const app of this.apps) rules.deleteOld(app, Date.now())
  }

  answer(receiver: number, answers: AnswerName[]) {
    this.setup.receivers.answers.set(this.urls[receiver] ?? '', [...answers])
  }

  readonly operatorRead: Read = async (endpoint, fields) => {
    const { harness, viewer } = this.setup
    const response = await askAs({ harness }, viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  appRead(app: rules.App, secret: string): Read {
    const { test } = this.knownOf(app)
    return async (endpoint, fields) => {
      const response = await call(
        { harness: this.setup.harness, app: { ...test, clientSecret: secret } },
        endpoint,
        fields,
      )
      assert.equal(response.statusCode, 200, response.body)
      return response.json()
    }
  }
}
