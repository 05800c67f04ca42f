/** What the endpoints of the operators' area refuse alike, as scenarios: a suite plays each with one line. */
import assert from 'node:assert/strict'
import { ROLES, type AdminEndpoint } from '@coffer/contract/admin-endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import {
  actorOf,
  askAs,
  dumpAdmin,
  openAdminStage,
  openFragileAdminStage,
  type AdminStage,
  type TestOperator,
} from './admin-stage.ts'
import { SAME_ORIGIN } from './door.ts'
import { askRaw } from './person-stage.ts'
import { assertRefusal, movesNothing, type Fields } from './stage.ts'

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

export async function foreignOrigin(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
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
export async function loginRequired(stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) {
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
export async function unconfirmed(stage: AdminStage, endpoint: AdminEndpoint, make: MakeFields) {
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

export async function tooLarge(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const payload = JSON.stringify(await make(stage)).padEnd(BODY_MAX_BYTES + 1)
  await changesNothing(stage, async () => {
    const headers = { ...SAME_ORIGIN, cookie: callerOf(stage, endpoint).cookie }
    const response = await askRaw(stage.harness, endpoint, payload, headers)
    assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
  })
}

export async function notJson(stage: AdminStage, endpoint: Endpoint, make: MakeFields) {
  const fields = await make(stage)
  await changesNothing(stage, async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'content-type': type }
      const response = await askAs(stage, callerOf(stage, endpoint), endpoint, fields, headers)
      assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })
}

/** One operator asks too often, whatever the answers are; another one is heard meanwhile. */
export async function rateLimited(endpoint: AdminEndpoint) {
  const stage = await openAdminStage({ WIDGET_REQUESTS_PER_SECOND: '2' })
  try {
    const actor = actorOf(stage, endpoint)
    const calls = Array.from({ length: 6 }, () => askAs(stage, actor, endpoint, { odd: 'yes' }))
    const refused = (await Promise.all(calls)).filter(({ statusCode }) => statusCode === 429)
    assert(refused.length >= 2 && refused.length <= 5, `${refused.length} of 6 were refused`)
    for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
  } finally {
    await stage.harness.end()
  }
}

export async function databaseDown(endpoint: Endpoint, make: MakeFields) {
  const { stage, cut, close } = await openFragileAdminStage()
  try {
    const fields = await make(stage)
    await cut()
    const response = await askAs(stage, callerOf(stage, endpoint), endpoint, fields)
    assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
  } finally {
    await close()
  }
}
