/** Operators with passkeys: requests challenges, creates passkeys and signs. */
import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { askAs, type AdminSetup, type TestOperator } from './admin-setup.ts'
import { Authenticator, type AskedToMake, type AskedToSign } from './authenticator.ts'

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
