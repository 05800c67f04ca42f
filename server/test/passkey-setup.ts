/** Operators and people with passkeys: requests challenges, creates passkeys and signs. */
import * as accountPasskeys from '@coffer/contract/account/passkeys'
import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { beginWidgetPasskeyLogIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { ask, type PersonSetup, type TestPerson } from './account-setup.ts'
import { askAs, type AdminSetup, type TestOperator } from './admin-setup.ts'
import { Authenticator, type AskedToMake, type AskedToSign } from './authenticator.ts'
import { PASSWORD } from './sign-in.ts'

type Someone = Pick<TestOperator, 'cookie'>
const NOBODY: Someone = { cookie: '' }

async function read<ServiceResponse>(
  setup: Pick<AdminSetup, 'harness'>,
  who: Someone,
  endpoint: Endpoint,
): Promise<ServiceResponse> {
  const response = await askAs(setup, who, endpoint)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<ServiceResponse>()
}

export function requestLogInChallenge(setup: Pick<AdminSetup, 'harness'>) {
  return read<AskedToSign>(setup, NOBODY, signInEndpoints.beginPasskeyLogIn)
}

export function askToConfirm(setup: Pick<AdminSetup, 'harness'>, who: Someone) {
  return read<AskedToSign & { allowed: { id: string; transports: string[] }[] }>(
    setup,
    who,
    signInEndpoints.beginPasskeyConfirmation,
  )
}

export function askToMake(setup: Pick<AdminSetup, 'harness'>, who: Someone) {
  return read<AskedToMake & { excluded: { id: string; transports: string[] }[] }>(
    setup,
    who,
    ownSignInEndpoints.beginPasskey,
  )
}

/** Returns the authenticator with the new passkey. */
export async function givePasskey(
  setup: Pick<AdminSetup, 'harness'>,
  who: Someone,
  { name = 'Work laptop', counts = true } = {},
): Promise<Authenticator> {
  const authenticator = new Authenticator({ counts })
  const passkey = authenticator.make(await askToMake(setup, who))
  const response = await askAs(setup, who, ownSignInEndpoints.addPasskey, { name, passkey })
  assert.equal(response.statusCode, 200, response.body)
  return authenticator
}

type OfPeople = Pick<PersonSetup, 'harness'>

export async function requestPersonChallenge({ harness }: OfPeople): Promise<AskedToSign> {
  const response = await ask({ harness }, accountPasskeys.beginAccountPasskeyLogIn)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<AskedToSign>()
}

export async function requestFrameChallenge(
  { harness }: OfPeople,
  clientId: string,
): Promise<AskedToSign> {
  const response = await ask({ harness }, beginWidgetPasskeyLogIn, { clientId })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<AskedToSign>()
}

export async function askPersonToMake(
  { harness }: OfPeople,
  person: Pick<TestPerson, 'cookie'>,
  password = PASSWORD,
) {
  const endpoint = accountPasskeys.beginAccountPasskey
  const response = await ask({ harness, person }, endpoint, { password })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<AskedToMake & { excluded: { id: string; transports: string[] }[] }>()
}

/** Returns the authenticator with the new passkey. */
export async function givePersonPasskey(
  { harness }: OfPeople,
  person: Pick<TestPerson, 'cookie'>,
  { name = 'Phone', counts = true } = {},
): Promise<Authenticator> {
  const authenticator = new Authenticator({ counts })
  const passkey = authenticator.make(await askPersonToMake({ harness }, person))
  const fields = { name, passkey }
  const response = await ask({ harness, person }, accountPasskeys.addAccountPasskey, fields)
  assert.equal(response.statusCode, 200, response.body)
  return authenticator
}
