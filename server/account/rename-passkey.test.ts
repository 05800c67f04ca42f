import { readAccount } from '@coffer/contract/account/account'
import {
  logInToAccountByPasskey,
  renameAccountPasskey as endpoint,
} from '@coffer/contract/account/passkeys'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ask,
  makePerson,
  openPersonSetup,
  type PersonSetup,
  type TestPerson,
} from '../test/account-setup.ts'
import { givePersonPasskey, requestPersonChallenge } from '../test/passkey-setup.ts'
import * as refusals from '../test/refusals.ts'

let setup: PersonSetup
before(async () => {
  setup = await openPersonSetup()
})
after(() => setup.harness.end())

async function listOf(person: TestPerson) {
  const response = await ask({ harness: setup.harness, person }, readAccount)
  return response.json<{ passkeys: { id: string; name: string }[] }>().passkeys
}

const namesOf = async (person: TestPerson) => (await listOf(person)).map(({ name }) => name)

describe('POST /api/account/passkeys/rename', () => {
  const rename = (person: TestPerson, id: string | undefined, name: string) =>
    ask({ harness: setup.harness, person }, endpoint, { id, name })

  it('200 changes the name of one passkey, which still logs in', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const phone = await givePersonPasskey(setup, person)
    await givePersonPasskey(setup, person, { name: 'Laptop' })
    const [first] = await listOf(person)
    assert.equal((await rename(person, first?.id, '電話')).statusCode, 200)
    assert.deepEqual(await namesOf(person), ['電話', 'Laptop'])
    const signed = phone.sign(await requestPersonChallenge(setup))
    const response = await ask({ harness }, logInToAccountByPasskey, { passkey: signed })
    assert.equal(response.statusCode, 200, response.body)
  })

  it('200 has no effect on a passkey that was removed', async () => {
    const person = await makePerson(setup.harness)
    assert.equal((await rename(person, '999999999', 'Mine')).statusCode, 200)
    assert.deepEqual(await namesOf(person), [])
  })

  it('400 INVALID_REQUEST for an invalid id or name', () =>
    refusals.refusesFields(setup, endpoint, () => ({ id: '1', name: 'Phone' }), [
      ['id', 'x'],
      ['name', ''],
      ['name', ' '],
      ['name', 'x'.repeat(81)],
      ['name', 'a\u0000'],
      ['name', 'a\u202Eb'],
    ]))
})
