/** Makes calls to the service at times that the model knows, and compares each response, its cookies and its emails. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { ask } from '../../server/test/account-setup.ts'
import type { TestApp } from '../../server/test/factories.ts'
import { call } from '../../server/test/setup.ts'
import { SAME_ORIGIN } from '../../server/test/sign-in.ts'
import type { TestService } from '../start-test-service.ts'
import type { Mailbox } from './mailbox.ts'
import { Matcher, SLACK_MS, type Arrange } from './match.ts'
import type { LinksModel } from './model.ts'
import type { Answer, App, Browser } from './state.ts'

/** The names that the service gives to browsers, and how these introduce themselves. */
export const DEVICES = new Map([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Safari on iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'],
  ['Unknown device', ''],
])

/** What all plans share. */
export interface Shared {
  service: TestService
  mailbox: Mailbox
  passwordHash: string
  hit: (name: string) => void
}

export interface By {
  browser: Browser
  /** The page of another site makes the call, so nothing happens. */
  isForeign?: boolean
  arrange?: Arrange
}

export interface Call {
  /** For the person who reads a failure, and for the count of what happened. */
  what: string
  endpoint: Endpoint
  fields: Record<string, unknown>
  /** Asks the model. */
  expect: () => Answer
}

export class Calls {
  readonly matcher = new Matcher()
  readonly apps: TestApp[] = []
  readonly model: LinksModel
  readonly #shared: Shared
  readonly #note: (step: string) => void
  readonly #jars = new Map<Browser, Map<string, string>>()

  constructor(shared: Shared, model: LinksModel, note: (step: string) => void) {
    this.#shared = shared
    this.model = model
    this.#note = note
  }

  get harness() {
    return this.#shared.service.harness
  }

  get passwordHash() {
    return this.#shared.passwordHash
  }

  hit(name: string) {
    this.#shared.hit(name)
  }

  note(text: string) {
    this.#note(`${new Date().toISOString()} ${text}`)
  }

  testApp({ index }: App): TestApp {
    return this.apps[index] as TestApp
  }

  /** The cookies of a browser, by name. */
  jarOf(browser: Browser): Map<string, string> {
    const jar = this.#jars.get(browser) ?? new Map<string, string>()
    this.#jars.set(browser, jar)
    return jar
  }

  advanceMs(ms: number) {
    this.#shared.service.clock.advanceMs(Math.ceil(ms))
  }

  /** No call is made shortly before or after something ends, because a call takes time itself. */
  avoidBoundaries() {
    for (;;) {
      const nowMs = Date.now()
      const near = [...this.model.boundaries()].filter(
        (boundary) => Math.abs(boundary - nowMs) < SLACK_MS,
      )
      if (near.length === 0) break
      this.advanceMs(Math.max(...near) - nowMs + SLACK_MS + 1)
    }
    this.model.nowMs = Date.now()
  }

  /** As a page of the service. */
  async ask(made: Call, { browser, isForeign = false, arrange }: By): Promise<Answer> {
    const { endpoint, fields, expect } = made
    this.avoidBoundaries()
    const known = browser.known?.number
    const answer = isForeign ? { code: 'ORIGIN_NOT_ALLOWED' as const } : expect()
    const cookie = [...this.jarOf(browser)].map((each) => each.join('=')).join('; ')
    const response = await this.harness.inject({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.method === 'POST' && { payload: JSON.stringify(fields) }),
      remoteAddress: browser.network,
      headers: {
        'content-type': 'application/json',
        ...SAME_ORIGIN,
        ...(isForeign && { 'sec-fetch-site': 'cross-site' }),
        'user-agent': DEVICES.get(browser.device) ?? '',
        // Browsers may block cookies in the frame.
        ...(endpoint.path.startsWith('/api/account') && { cookie }),
      },
    })
    this.#compare(response, made, answer, arrange)
    this.#compareCookies(response, answer, browser, browser.known?.number !== known)
    return answer
  }

  /** As the backend of an app; undefined: as a page that has nothing but a session. */
  async serve(app: App | undefined, made: Call, arrange?: Arrange) {
    this.avoidBoundaries()
    const answer = made.expect()
    const { harness } = this
    const { endpoint, fields } = made
    const response = app
      ? await call({ harness, app: this.testApp(app) }, endpoint, fields)
      : await ask({ harness }, endpoint, fields)
    this.#compare(response, made, answer, arrange)
  }

  #compare(
    response: LightMyRequestResponse,
    { what, endpoint, fields }: Call,
    answer: Answer,
    arrange?: Arrange,
  ) {
    const { code, body } = answer
    const outcome = code ?? (typeof body?.['step'] === 'string' ? body['step'] : 'done')
    this.hit(`${what} → ${outcome}`)
    if (code) this.hit(code)
    this.note(`${what} ${JSON.stringify(fields)} → ${outcome}`)
    this.matcher.compare(response, endpoint, answer, { what, arrange })
    const { mails } = this.model
    this.model.mails = []
    for (const { kind } of mails) this.hit(`email: ${kind}`)
    this.#shared.mailbox.compare(mails, this.matcher)
  }

  #compareCookies(
    { headers }: LightMyRequestResponse,
    { logIn }: Answer,
    browser: Browser,
    isNewlyKnown: boolean,
  ) {
    const jar = this.jarOf(browser)
    const set = new Map<string, string>()
    for (const each of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      set.set(name, value)
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const names = []
    if (logIn !== undefined) names.push('__Host-coffer')
    if (isNewlyKnown) names.push('__Host-coffer-device')
    assert.deepEqual([...set.keys()], names, 'the cookies')
    if (logIn) this.matcher.bind(set.get('__Host-coffer'), logIn.token, 'the login cookie')
    if (logIn === null) assert.equal(set.get('__Host-coffer'), '')
  }
}
