/** What the endpoints of the person's own page refuse alike, as scenarios: a suite plays each with one line. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { createSession } from '../widget/create-session.ts'
import { dumpDirectory, SAME_ORIGIN } from './sign-in.ts'
import {
  ask,
  askRaw,
  onFragilePersonStage,
  openPersonStage,
  type PersonStage,
} from './account-setup.ts'
import { assertRefusal, movesNothing, type Fields } from './setup.ts'

/** Fields that the endpoint accepts on this stage. */
type MakeFields = (stage: PersonStage) => Fields | Promise<Fields>

/** Neither the money nor the people. */
async function changesNothing(stage: PersonStage, act: () => Promise<void>) {
  const before = await dumpDirectory(stage)
  await movesNothing(stage.harness.admin, act)
  assert.equal(await dumpDirectory(stage), before)
}

export async function foreignOrigin(stage: PersonStage, endpoint: Endpoint, make: MakeFields) {
  const payload = JSON.stringify(await make(stage))
  const { cookie } = stage.person
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

/** Also: what a client app can mint opens nothing here, and every log-in has an end. */
export async function loginRequired(stage: PersonStage, endpoint: Endpoint, make: MakeFields) {
  const { harness, app, person } = stage
  const fields = await make(stage)
  const clientApp = await harness.context.clientApps.find(app.clientId)
  assert(clientApp)
  const { sessionToken } = await createSession(harness.context, clientApp, person)
  const variants: Record<string, string>[] = [
    { cookie: '' },
    { cookie: '__Host-coffer=' },
    { cookie: '__Host-coffer=\u0000' },
    { cookie: `__Host-coffer=${randomBytes(32).toString('base64url')}` },
    { cookie: `__Host-coffer=${sessionToken}` },
    { cookie: person.cookie.replace('__Host-', '') },
    { cookie: person.cookie.slice(0, -1) },
    { cookie: '', authorization: `Bearer ${sessionToken}` },
  ]
  await changesNothing(stage, async () => {
    for (const headers of variants) {
      const response = await ask(stage, endpoint, { ...fields, session: sessionToken }, headers)
      assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
    for (const end of ['expires_at = now()', `last_seen_at = now() - interval '31 minutes'`]) {
      await whileLogInsAre(stage, end, async () => {
        assertRefusal(await ask(stage, endpoint, fields), endpoint, 'LOGIN_REQUIRED')
      })
    }
  })
}

/** Sets the person's log-ins to something for as long as `act` takes. */
async function whileLogInsAre(
  { harness, person }: PersonStage,
  change: string,
  act: () => Promise<void>,
) {
  const { rows } = await harness.admin.query(
    `select id, expires_at::text, last_seen_at::text from directory.log_ins where service_user_id = $1`,
    [person.id],
  )
  const where = `where service_user_id = ${person.id}`
  await harness.admin.query(`update directory.log_ins set ${change} ${where}`)
  await act()
  for (const row of rows) {
    await harness.admin.query(
      'update directory.log_ins set expires_at = $2, last_seen_at = $3 where id = $1',
      [row.id, row.expires_at, row.last_seen_at],
    )
  }
}

/** `variants`: the field that does not fit, and a value that it has. */
export async function refusesFields(
  stage: PersonStage,
  endpoint: Endpoint,
  make: MakeFields,
  variants: readonly [field: string, value: unknown][],
) {
  const fields = await make(stage)
  await changesNothing(stage, async () => {
    for (const [field, value] of variants) {
      const response = await ask(stage, endpoint, { ...fields, [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
    if (endpoint.method === 'GET') return
    for (const body of ['{', '[]', 'null', '"text"', '{"a":{"__proto__":null}}']) {
      const { cookie } = stage.person
      const response = await askRaw(stage.harness, endpoint, body, { ...SAME_ORIGIN, cookie })
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'INVALID_REQUEST')
    }
  })
}

export async function tooLarge(stage: PersonStage, endpoint: Endpoint, make: MakeFields) {
  const payload = JSON.stringify(await make(stage)).padEnd(BODY_MAX_BYTES + 1)
  await changesNothing(stage, async () => {
    const headers = { ...SAME_ORIGIN, cookie: stage.person.cookie }
    const response = await askRaw(stage.harness, endpoint, payload, headers)
    assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
  })
}

export async function notJson(stage: PersonStage, endpoint: Endpoint, make: MakeFields) {
  const fields = await make(stage)
  await changesNothing(stage, async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const response = await ask(stage, endpoint, fields, { 'content-type': type })
      assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })
}

/** One person, or one address at the door, asks too often. */
export async function rateLimited(endpoint: Endpoint, make: MakeFields) {
  const stage = await openPersonStage({ WIDGET_REQUESTS_PER_SECOND: '2', LOG_INS_PER_MINUTE: '3' })
  try {
    const fields = await make(stage)
    const calls = Array.from({ length: 6 }, () => ask(stage, endpoint, fields))
    const refused = (await Promise.all(calls)).filter(({ statusCode }) => statusCode === 429)
    assert(refused.length >= 2 && refused.length <= 5, `${refused.length} of 6 were refused`)
    for (const response of refused) {
      assert.equal(response.json().code, 'RATE_LIMITED')
      assert(Number(response.headers['retry-after']) >= 1)
    }
  } finally {
    await stage.harness.end()
  }
}

export async function databaseDown(endpoint: Endpoint, make: MakeFields) {
  await onFragilePersonStage(async (stage, cut) => {
    const fields = await make(stage)
    await cut()
    const response = await ask(stage, endpoint, fields)
    assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
  })
}
