/** Refusals that need specific values or a specific state; those that all endpoints share are in contract.test.ts. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import { Ledger } from '../ledger/ledger.ts'
import { ask, type PersonSetup } from './account-setup.ts'
import type { AdminSetup } from './admin-setup.ts'
import { callerOf, isAdminEndpoint } from './contract-endpoints.ts'
import type { TestUser } from './factories.ts'
import type { Harness } from './harness.ts'
import { assertRefusal, call, changesNothing, type Fields, type Setup } from './setup.ts'

type AnySetup = { harness: Harness } & Partial<
  Pick<Setup, 'app'> & Pick<PersonSetup, 'person'> & Omit<AdminSetup, 'harness' | 'app'>
>

/** Calls like the endpoint's legitimate caller. */
function callAs(
  setup: AnySetup,
  endpoint: Endpoint,
  fields: Fields,
): Promise<LightMyRequestResponse> {
  const { harness, app, person } = setup
  if (callerOf(endpoint) === 'app') {
    assert(app !== undefined)
    return call({ harness, app }, endpoint, fields)
  }
  const signedIn = isAdminEndpoint(endpoint) ? setup[endpoint.role] : person
  return ask(signedIn ? { harness, person: signedIn } : { harness }, endpoint, fields)
}

/** `variants`: a field and a value that it must not have. */
export async function refusesFields<On extends AnySetup>(
  setup: On,
  endpoint: Endpoint,
  make: (setup: On) => Fields | Promise<Fields>,
  variants: readonly [field: string, value: unknown][],
) {
  const fields = await make(setup)
  await changesNothing(setup, async () => {
    for (const [field, value] of variants) {
      const response = await callAs(setup, endpoint, { ...fields, [field]: value })
      const isAmount = field === 'amount' || field === 'requiredAmount'
      if (isAmount) assertRefusal(response, endpoint, 'INVALID_AMOUNT', field)
      else assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  })
}

/** `variants`: for each field the values that it must not have. */
export function refusesValues<On extends AnySetup>(
  setup: On,
  endpoint: Endpoint,
  make: (setup: On) => Fields | Promise<Fields>,
  variants: Record<string, readonly unknown[]>,
) {
  const pairs = Object.entries(variants).flatMap(([field, values]) =>
    values.map((value): [string, unknown] => [field, value]),
  )
  return refusesFields(setup, endpoint, make, pairs)
}

/**
 * Another transaction holds the wallet for longer than the ledger waits. Repeating the request later returns the
 * outcome.
 */
export async function outcomeUnknown<On extends AnySetup & { user: TestUser }>(
  setup: On,
  endpoint: Endpoint,
  make: (setup: On) => Fields | Promise<Fields>,
) {
  const { harness, user } = setup
  const { context, admin, databaseUrl } = harness
  const usual = context.ledger
  const impatient = new Ledger({ databaseUrl, deadlineMs: 4_000 })
  const fields = await make(setup)
  await admin.query('begin')
  await admin.query('select from ledger.wallets where id = $1 for update', [user.walletId])
  try {
    context.ledger = impatient
    const response = await callAs(setup, endpoint, fields)
    assertRefusal(response, endpoint, 'OUTCOME_UNKNOWN')
  } finally {
    await admin.query('rollback')
    context.ledger = usual
  }
  assert.equal((await callAs(setup, endpoint, fields)).statusCode, 200)
  await impatient.close()
  const { rows } = await admin.query('select from ledger.operations where reference_id = $1', [
    fields['referenceId'],
  ])
  assert.equal(rows.length, 1)
}

/** Every read of this wallet takes longer by so many milliseconds, as on an overloaded machine. */
export function readSlowly(
  { mock }: TestContext,
  { context: { ledger } }: Harness,
  { walletId }: Pick<TestUser, 'walletId'>,
  ms: number,
) {
  const read = ledger.readWallet.bind(ledger)
  mock.method(ledger, 'readWallet', async (id: bigint) => {
    if (id === walletId) await sleep(ms)
    return read(id)
  })
}
