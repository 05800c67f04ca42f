/** What every endpoint of the server API refuses alike, as scenarios: a suite plays each of them with one line. */
import assert from 'node:assert/strict'
import { SCOPES, type Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import { Ledger } from '../ledger/ledger.ts'
import { makeClientApp } from './factories.ts'
import {
  assertRefusal,
  basicOf,
  call,
  callRaw,
  furnish,
  movesNothing,
  onFragileStage,
  openStage,
  type Fields,
  type MakeFields,
  type Stage,
} from './setup.ts'

type Headers = Record<string, string>

export async function refusesBadCredentials(stage: Stage, endpoint: Endpoint, make: MakeFields) {
  const { harness, app } = stage
  const other = await makeClientApp(harness.context)
  const inactive = await makeClientApp(harness.context)
  await activateClientApp(harness.context.db, inactive.clientId, false)
  const { clientId, clientSecret } = inactive
  const fields = await make(stage)
  const variants: Fields[] = [
    { clientId: undefined, clientSecret: undefined },
    { clientId: undefined },
    { clientSecret: undefined },
    { clientSecret: '' },
    { clientSecret: `${app.clientSecret}x` },
    { clientSecret: other.clientSecret },
    { clientSecret: 'x'.repeat(5_000) },
    { clientSecret: [app.clientSecret, app.clientSecret] },
    { clientId: `${app.clientId}x` },
    { clientId: `${app.clientId.slice(0, -1)}\u0000` },
    { clientId: [app.clientId, app.clientId] },
    { clientId, clientSecret },
  ]
  await movesNothing(harness.admin, async () => {
    for (const variant of variants) {
      const response = await call(stage, endpoint, { ...fields, ...variant })
      assertRefusal(response, endpoint, 'INVALID_CLIENT')
    }
    const headers = basicOf({ ...app, clientSecret: other.clientSecret })
    assertRefusal(await call(stage, endpoint, fields, headers), endpoint, 'INVALID_CLIENT')
  })
}

export async function refusesBrowser(stage: Stage, endpoint: Endpoint, make: MakeFields) {
  const fields = await make(stage)
  await movesNothing(stage.harness.admin, async () => {
    for (const header of ['origin', 'sec-fetch-site']) {
      const response = await call(stage, endpoint, fields, { [header]: 'https://shop.example' })
      assertRefusal(response, endpoint, 'BROWSER_NOT_ALLOWED')
    }
  })
}

/** Also the order of checks: credentials, then scope, then shape. */
export async function refusesMissingScope(stage: Stage, endpoint: Endpoint, make: MakeFields) {
  const { harness } = stage
  const scopes = SCOPES.filter((scope) => scope !== endpoint.scope)
  const app = await makeClientApp(harness.context, { scopes })
  const fields = await make(stage)
  await movesNothing(harness.admin, async () => {
    for (const each of [fields, {}]) {
      const response = await call({ ...stage, app }, endpoint, each)
      assertRefusal(response, endpoint, 'INSUFFICIENT_SCOPE')
      const wrong = { ...each, clientId: app.clientId, clientSecret: 'wrong' }
      assertRefusal(await call(stage, endpoint, wrong), endpoint, 'INVALID_CLIENT')
    }
  })
}

/** `variants`: the field that does not fit, and a value that it has. */
export async function refusesFields(
  stage: Stage,
  endpoint: Endpoint,
  make: MakeFields,
  variants: readonly [field: string, value: unknown][],
) {
  const fields = await make(stage)
  await movesNothing(stage.harness.admin, async () => {
    for (const [field, value] of variants) {
      const response = await call(stage, endpoint, { ...fields, [field]: value })
      const isAmount = field === 'amount' || field === 'requiredAmount'
      if (isAmount) assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      else assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  })
}

/** Bodies that are not JSON, not an object, or built to do harm. */
export async function refusesBrokenBody(
  stage: Stage,
  endpoint: Endpoint,
  make: MakeFields,
  headers: Headers = basicOf(stage.app),
) {
  const { clientId, clientSecret } = stage.app
  const sound = JSON.stringify({ clientId, clientSecret, ...(await make(stage)) })
  const deep = '['.repeat(7_000) + ']'.repeat(7_000)
  const broken = ['', ' ', '{', 'nonsense', 'NaN', '{"a":1,}', "{'a':1}", sound.slice(0, -1)]
  const shapeless = ['[]', `[${sound}]`, 'null', '5', '"text"', 'true', deep]
  const hostile = [
    sound.replace('{', '{"__proto__":{"amount":1},'),
    sound.replace('{', '{"a":{"__proto__":null},'),
    sound.replace('{', `{"a":${deep},`),
  ]
  await movesNothing(stage.harness.admin, async () => {
    for (const body of [...broken, ...shapeless, ...hostile]) {
      const response = await callRaw(stage, endpoint, body, headers)
      assertRefusal(response, endpoint, 'INVALID_REQUEST')
    }
  })
}

export async function tooLarge(
  stage: Stage,
  endpoint: Endpoint,
  make: MakeFields,
  headers: Headers = {},
) {
  const { clientId, clientSecret } = stage.app
  const sound = JSON.stringify({ clientId, clientSecret, ...(await make(stage)) })
  await movesNothing(stage.harness.admin, async () => {
    const response = await callRaw(stage, endpoint, sound.padEnd(BODY_MAX_BYTES + 1), headers)
    assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
  })
  const largest = await callRaw(stage, endpoint, sound.padEnd(BODY_MAX_BYTES), headers)
  assert.equal(largest.statusCode, 200)
}

export async function notJson(
  stage: Stage,
  endpoint: Endpoint,
  make: MakeFields,
  headers: Headers = {},
) {
  const { harness } = stage
  const fields = await make(stage)
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json', '']
  await movesNothing(harness.admin, async () => {
    for (const type of types) {
      const response = await call(stage, endpoint, fields, { ...headers, 'content-type': type })
      assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
    }
    const empty = await harness.inject({ method: 'POST', url: endpoint.path, headers })
    assertRefusal(empty, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
  })
  const charset = { ...headers, 'content-type': 'application/json; charset=utf-8' }
  assert.equal((await call(stage, endpoint, fields, charset)).statusCode, 200)
}

/** One app uses up its second; another one is served meanwhile. */
export async function rateLimited(endpoint: Endpoint, make: MakeFields) {
  const stage = await openStage({ APP_REQUESTS_PER_SECOND: '5' })
  const { harness } = stage
  try {
    const neighbour = await furnish(harness)
    const fields = await make(stage)
    assert.equal((await call(stage, endpoint, fields)).statusCode, 200)
    await movesNothing(harness.admin, async () => {
      const calls = Array.from({ length: 20 }, () => call(stage, endpoint, fields))
      const responses = await Promise.all(calls)
      const refused = responses.filter(({ statusCode }) => statusCode !== 200)
      assert(refused.length >= 5 && refused.length <= 18, `${refused.length} of 20 were refused`)
      for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
    })
    const other = await call(neighbour, endpoint, await make(neighbour))
    assert.equal(other.statusCode, 200)
  } finally {
    await harness.end()
  }
}

export async function databaseDown(endpoint: Endpoint, make: MakeFields, headers: Headers = {}) {
  await onFragileStage(async (stage, admin, cut) => {
    const fields = await make(stage)
    await cut()
    await movesNothing(admin, async () => {
      const response = await call(stage, endpoint, fields, headers)
      assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
    })
  })
}

/** Somebody holds the wallet for longer than the ledger waits; asking again later tells what became of it. */
export async function outcomeUnknown(stage: Stage, endpoint: Endpoint, make: MakeFields) {
  const { harness, user } = stage
  const { context, admin, databaseUrl } = harness
  const usual = context.ledger
  const impatient = new Ledger({ databaseUrl, deadlineMs: 4_000 })
  const fields = await make(stage)
  await admin.query('begin')
  await admin.query('select from ledger.wallets where id = $1 for update', [user.walletId])
  try {
    context.ledger = impatient
    const response = await call(stage, endpoint, fields)
    assertRefusal(response, endpoint, 'OUTCOME_UNKNOWN')
  } finally {
    await admin.query('rollback')
    context.ledger = usual
  }
  assert.equal((await call(stage, endpoint, fields)).statusCode, 200)
  await impatient.close()
  const { rows } = await admin.query('select from ledger.operations where reference_id = $1', [
    fields['referenceId'],
  ])
  assert.equal(rows.length, 1)
}
