/** People who add money at /account. */
import { confirmOwnTopup } from '@coffer/contract/account/topup'
import assert from 'node:assert/strict'
import { ask, makePerson } from './account-setup.ts'
import { beginOwn, rowOf, type Intent, type TopupSetup } from './topup-setup.ts'

/** A new person, who is logged in at /account and has no client app. */
export async function makePayer({ harness }: Pick<TopupSetup, 'harness'>) {
  const person = { ...(await makePerson(harness)), serviceUserId: '' }
  return { harness, person, user: person }
}

export type OwnPayer = Awaited<ReturnType<typeof makePayer>>

export function confirmOwn(payer: OwnPayer, { paymentIntentId }: Pick<Intent, 'paymentIntentId'>) {
  return ask(payer, confirmOwnTopup, { paymentIntentId })
}

/** Started, paid and credited. */
export async function topUpOwn({ sandbox }: TopupSetup, payer: OwnPayer, amount = 20) {
  const intent = await beginOwn(payer, amount)
  sandbox.complete(intent.paymentIntentId)
  const response = await confirmOwn(payer, intent)
  assert.equal(response.json<{ status: string }>().status, 'succeeded', response.body)
  return { ...intent, id: (await rowOf(payer, intent)).id }
}
