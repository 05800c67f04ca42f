/** What every endpoint of our own pages refuses alike, as scenarios: a suite plays each of them with one line. */
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { assertPause, callPage, dumpDirectory, openDoor, SAME_ORIGIN } from './sign-in.ts'
import * as refusals from './refusals.ts'
import { assertRefusal, callRaw, type MakeFields, type Stage } from './setup.ts'

type Scenario = (stage: Stage, endpoint: Endpoint, make: MakeFields) => Promise<void>

/** inject speaks to localhost:80. */
const OWN = 'http://localhost:80'

/** A change comes from our own page or not at all. */
export const refusesOtherOrigins: Scenario = async (stage, endpoint, make) => {
  const body = JSON.stringify(await make(stage))
  const strangers: Record<string, string>[] = [
    {},
    { origin: 'https://shop.example' },
    { origin: 'null' },
    { origin: 'https://localhost:80' },
    { origin: 'http://localhost:81' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: OWN },
  ]
  const before = await dumpDirectory(stage)
  for (const headers of strangers) {
    const response = await callRaw(stage, endpoint, body, headers)
    assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
  }
  // Refused before the body is read.
  const broken = await callRaw(stage, endpoint, '{', { origin: 'https://shop.example' })
  assertRefusal(broken, endpoint, 'ORIGIN_NOT_ALLOWED')
  assert.equal(await dumpDirectory(stage), before)
  assert.equal((await callRaw(stage, endpoint, body, { origin: OWN })).statusCode, 200)
}

export const refusesBrokenBody: Scenario = async (stage, endpoint, make) => {
  const fields = await make(stage)
  const before = await dumpDirectory(stage)
  await refusals.refusesBrokenBody(stage, endpoint, () => fields, SAME_ORIGIN)
  assert.equal(await dumpDirectory(stage), before)
}

/** `variants`: the field that does not fit, and values that it must not have. */
export async function refusesFields(
  stage: Stage,
  endpoint: Endpoint,
  make: MakeFields,
  variants: Record<string, readonly unknown[]>,
) {
  const fields = await make(stage)
  const before = await dumpDirectory(stage)
  for (const [field, values] of Object.entries(variants)) {
    for (const value of [undefined, null, 5, true, [], {}, 'a\u0000', '\ud800', ...values]) {
      const response = await callPage(stage, endpoint, { ...fields, [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  }
  assert.equal(await dumpDirectory(stage), before)
}

export const tooLarge: Scenario = (stage, endpoint, make) =>
  refusals.tooLarge(stage, endpoint, make, SAME_ORIGIN)

export const notJson: Scenario = (stage, endpoint, make) =>
  refusals.notJson(stage, endpoint, make, SAME_ORIGIN)

export const databaseDown = (endpoint: Endpoint, make: MakeFields) =>
  refusals.databaseDown(endpoint, make, SAME_ORIGIN)

/** One address knocks too often; another one is heard meanwhile. `make` may give what is refused otherwise. */
export async function limitsAddress(endpoint: Endpoint, make: MakeFields) {
  const stage = await openDoor({ LOG_INS_PER_MINUTE: '3' })
  try {
    for (let index = 0; index < 3; index++) {
      const response = await callPage(stage, endpoint, await make(stage))
      assert.notEqual(response.statusCode, 429, response.body)
    }
    const fields = await make(stage)
    const before = await dumpDirectory(stage)
    assertPause(await callPage(stage, endpoint, fields), 1, 60)
    assert.equal(await dumpDirectory(stage), before)
    const other = await callPage(stage, endpoint, fields, '203.0.113.2')
    assert.notEqual(other.statusCode, 429)
  } finally {
    await stage.harness.end()
  }
}
