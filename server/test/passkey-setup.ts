/** Operators with passkeys: how the suites ask, make and sign. */
import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { askAs, type AdminStage, type TestOperator } from './admin-setup.ts'
import { Authenticator, type AskedToMake, type AskedToSign } from './authenticator.ts'

type Someone = Pick<TestOperator, 'cookie'>
const NOBODY: Someone = { cookie: '' }

async function read<Answer>(
  stage: Pick<AdminStage, 'harness'>,
  who: Someone,
  endpoint: Endpoint,
): Promise<Answer> {
  const response = await askAs(stage, who, endpoint)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Answer>()
}

export function askAtDoor(stage: Pick<AdminStage, 'harness'>) {
  return read<AskedToSign>(stage, NOBODY, signInEndpoints.beginPasskeyLogIn)
}

export function askToConfirm(stage: Pick<AdminStage, 'harness'>, who: Someone) {
  return read<AskedToSign & { allowed: { id: string; transports: string[] }[] }>(
    stage,
    who,
    signInEndpoints.beginPasskeyConfirmation,
  )
}

export function askToMake(stage: Pick<AdminStage, 'harness'>, who: Someone) {
  return read<AskedToMake & { excluded: { id: string; transports: string[] }[] }>(
    stage,
    who,
    ownSignInEndpoints.beginPasskey,
  )
}

/** Returns what holds the new passkey. */
export async function givePasskey(
  stage: Pick<AdminStage, 'harness'>,
  who: Someone,
  { name = 'Work laptop', counts = true } = {},
): Promise<Authenticator> {
  const authenticator = new Authenticator({ counts })
  const passkey = authenticator.make(await askToMake(stage, who))
  const response = await askAs(stage, who, ownSignInEndpoints.addPasskey, { name, passkey })
  assert.equal(response.statusCode, 200, response.body)
  return authenticator
}
