/** What the endpoints of the operators' area refuse alike, as scenarios: a suite plays each with one line. */
import assert from 'node:assert/strict'
import { ROLES, type AdminEndpoint } from '@coffer/contract/admin/endpoint'
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { randomBytes } from 'node:crypto'
import { after, it } from 'node:test'
import {
  actorOf,
  askAs,
  dumpAdmin,
  makeOperator,
  openAdminStage,
  openFragileAdminStage,
  type AdminStage,
  type TestOperator,
} from './admin-setup.ts'
import { SAME_ORIGIN } from './sign-in.ts'
import { askRaw } from './account-setup.ts'
import { assertRefusal, movesNothing, type Fields } from './setup.ts'

/** Fields that the endpoint accepts on this stage. */
export type MakeFields = (stage: AdminStage) => Fields | Promise<Fields>

export async function changesNothing(stage: AdminStage, act: () => Promise<void>) {
  const before = await dumpAdmin(stage)
  await movesNothing(stage.harness.admin, act)
  assert.equal(await dumpAdmin(stage), before)
}

/** The door has no operator yet. */
function callerOf(stage: AdminStage, endpoint: Endpoint): Pick<TestOperator, 'cookie'> {
  return 'role' in endpoint ? actorOf(stage, endpoint as AdminEndpoint) : { cookie: '' }
}

/** One test for each of these that the endpoint promises. Those of the exceptions are tested in their own way. */
export function refusesAlike(
  stageOf: () => AdminStage,
  endpoint: Endpoint | AdminEndpoint,
  make: MakeFields,
  exceptions: ErrorCode[] = [],
) {
  for (const [code, { title, play }] of Object.entries(ALIKE) as [ErrorCode, Alike][]) {
    if (!(code in endpoint.errors) || exceptions.includes(code)) continue
    const status = endpoint.errors[code]?.status ?? ERRORS[code].status
    it(`${status} ${code} ${title}`, () => play(stageOf(), endpoint as AdminEndpoint, make))
  }
}

interface Alike {
  title: string
  play: (stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) => Promise<void>
}

/** tidy.test.ts knows these codes by `refusesAlike`. */
const ALIKE: Partial<Record<ErrorCode, Alike>> = {
  OPERATOR_FORBIDDEN: { title: 'for every role below', play: forbidden },
  CONFIRMATION_REQUIRED: {
    title: 'five minutes after the last confirmation',
    play: unconfirmed,
  },
  ORIGIN_NOT_ALLOWED: {
    title: 'from any other origin, and nothing is changed',
    play: foreignOrigin,
  },
  PAYLOAD_TOO_LARGE: { title: 'beyond 16 KiB', play: tooLarge },
  UNSUPPORTED_MEDIA_TYPE: { title: 'for what is not JSON', play: notJson },
  LOGIN_REQUIRED: { title: 'without a log-in', play: loginRequired },
  RATE_LIMITED: {
    title: 'for an operator who asks too often',
    play: (_stage, endpoint) => rateLimited(endpoint),
  },
  SERVICE_UNAVAILABLE: {
    title: 'while the database cannot be reached',
    play: databaseDown,
  },
}

async function foreignOrigin(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const payload = JSON.stringify(await make(stage))
  const { cookie } = callerOf(stage, endpoint)
  const variants: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:81' },
    { origin: 'http://localhost:80', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  await changesNothing(stage, async () => {
    for (const headers of variants) {
      const response = await askRaw(stage.harness, endpoint, payload, { cookie, ...headers })
      assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
      assert.equal(response.headers['set-cookie'], undefined)
    }
  })
}

/** Also when the shape is wrong: a stranger learns nothing about it. */
async function loginRequired(stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) {
  const fields = await make(stage)
  const { cookie } = actorOf(stage, endpoint)
  const strangers = [
    '',
    '__Host-coffer-admin=',
    '__Host-coffer-admin=\u0000',
    `__Host-coffer-admin=${randomBytes(32).toString('base64url')}`,
    cookie.slice(0, -1),
    cookie.replace('__Host-coffer-admin', '__Host-coffer'),
  ]
  await changesNothing(stage, async () => {
    for (const stranger of strangers) {
      const response = await askAs(stage, { cookie: stranger }, endpoint, fields)
      assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
    const odd = await askAs(stage, { cookie: '' }, endpoint, { clientId: 5, cursor: '\u0000' })
    assertRefusal(odd, endpoint, 'LOGIN_REQUIRED')
  })
}

/** Every role below the one that it takes. */
export async function forbidden(stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) {
  const fields = await make(stage)
  await changesNothing(stage, async () => {
    for (const role of ROLES.slice(ROLES.indexOf(endpoint.role) + 1)) {
      const response = await askAs(stage, stage[role], endpoint, fields)
      assertRefusal(response, endpoint, 'OPERATOR_FORBIDDEN')
    }
  })
}

/** Five minutes after the last confirmation. */
async function unconfirmed(stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) {
  const fields = await make(stage)
  const actor = actorOf(stage, endpoint)
  const set = (time: string) =>
    stage.harness.admin.query(
      `update admin.log_ins set confirmed_at = ${time} where operator_id = $1`,
      [actor.id],
    )
  await set(`now() - interval '301 seconds'`)
  try {
    await changesNothing(stage, async () => {
      const response = await askAs(stage, actor, endpoint, fields)
      assertRefusal(response, endpoint, 'CONFIRMATION_REQUIRED')
    })
  } finally {
    await set('now()')
  }
}

/** `variants`: the field that does not fit, and a value that it has. */
export async function refusesFields(
  stage: AdminStage,
  endpoint: Endpoint,
  make: MakeFields,
  variants: readonly [field: string, value: unknown][],
) {
  const fields = await make(stage)
  const caller = callerOf(stage, endpoint)
  await changesNothing(stage, async () => {
    for (const [field, value] of variants) {
      const response = await askAs(stage, caller, endpoint, { ...fields, [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
    if (endpoint.method === 'GET') return
    for (const body of ['{', '[]', 'null', '"text"', '{"a":{"__proto__":null}}']) {
      const headers = { ...SAME_ORIGIN, cookie: caller.cookie }
      const response = await askRaw(stage.harness, endpoint, body, headers)
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'INVALID_REQUEST')
    }
  })
}

async function tooLarge(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const payload = JSON.stringify(await make(stage)).padEnd(BODY_MAX_BYTES + 1)
  await changesNothing(stage, async () => {
    const headers = { ...SAME_ORIGIN, cookie: callerOf(stage, endpoint).cookie }
    const response = await askRaw(stage.harness, endpoint, payload, headers)
    assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
  })
}

async function notJson(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const fields = await make(stage)
  await changesNothing(stage, async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'content-type': type }
      const response = await askAs(stage, callerOf(stage, endpoint), endpoint, fields, headers)
      assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })
}

/** Opened when first needed and closed with the process: starting a service for every endpoint takes minutes. */
function once<Stage>(open: () => Promise<Stage>, close: (stage: Stage) => Promise<void>) {
  let opened: Promise<Stage> | undefined
  after(async () => opened && close(await opened))
  return () => (opened ??= open())
}

const openHasty = once(
  () => openAdminStage({ WIDGET_REQUESTS_PER_SECOND: '2' }),
  (stage) => stage.harness.end(),
)

/** One operator asks too often, whatever the answers are; others are heard meanwhile. */
async function rateLimited(endpoint: AdminEndpoint) {
  const stage = await openHasty()
  const actor = await makeOperator(stage.harness, endpoint.role)
  const calls = Array.from({ length: 6 }, () => askAs(stage, actor, endpoint, { odd: 'yes' }))
  const refused = (await Promise.all(calls)).filter(({ statusCode }) => statusCode === 429)
  assert(refused.length >= 2 && refused.length <= 5, `${refused.length} of 6 were refused`)
  for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
}

const openCut = once(
  async () => {
    const fragile = await openFragileAdminStage()
    await fragile.cut()
    return fragile
  },
  ({ close }) => close(),
)

/** What is asked for may well be there; whether somebody is logged in can no longer be told. */
async function databaseDown(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const fields = await make(stage)
  const { stage: cut } = await openCut()
  const response = await askAs(cut, callerOf(cut, endpoint), endpoint, fields)
  assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
}
