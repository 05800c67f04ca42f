/** The admin area moves from PUBLIC_URL to ADMIN_URL, as docs/operations.md describes it. */
import * as ownSignIn from '@coffer/contract/admin/own-sign-in'
import * as signIn from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, logInAgain, makeOperator, type TestOperator } from '../../test/admin-setup.ts'
import { ask } from '../../test/account-setup.ts'
import { Authenticator } from '../../test/authenticator.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { atHost, HOSTS, SEPARATE_ENV } from '../../test/separate-hosts.ts'
import { askToMake, requestLogInChallenge } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

const OLD = `https://${HOSTS.public}`
const NEW = `https://${HOSTS.admin}`
const { ACCOUNT_URL: _account, ADMIN_URL: _admin, DOCS_URL: _docs, ...SHARED } = SEPARATE_ENV

describe('operators whose admin area gets a host of its own', () => {
  let earlier: Harness
  let operator: TestOperator
  let key: Authenticator
  const opened: Harness[] = []
  before(async () => {
    earlier = await startHarness({ ...SHARED, PASSKEY_RP_ID: '' })
    operator = await makeOperator(earlier, 'operator')
    key = await addKey(earlier, operator, OLD)
  })
  after(async () => {
    for (const harness of opened) await harness.end()
    await earlier.end()
  })

  /** The same database with the new settings, after a restart. */
  async function move(PASSKEY_RP_ID: string): Promise<Harness> {
    const { databaseUrl, admin } = earlier
    const moved = await startHarness({ ...SEPARATE_ENV, DATABASE_URL: databaseUrl, PASSKEY_RP_ID })
    opened.push(moved)
    return atHost({ ...moved, admin }, HOSTS.admin)
  }

  async function addKey(harness: Harness, who: Pick<TestOperator, 'cookie'>, origin: string) {
    const authenticator = new Authenticator()
    const passkey = authenticator.make(await askToMake({ harness }, who), { origin })
    const added = await askAs({ harness }, who, ownSignIn.addPasskey, { name: origin, passkey })
    assert.equal(added.statusCode, 200, added.body)
    return authenticator
  }

  /** `rpId`: for which domain the authenticator holds the passkey, whatever the page asks for. */
  async function logIn(
    harness: Harness,
    authenticator: Authenticator,
    origin: string,
    rpId: string,
  ) {
    const options = await requestLogInChallenge({ harness })
    const passkey = authenticator.sign(options, { origin, rpId })
    return ask({ harness }, signIn.logInByPasskey, { passkey })
  }

  it('keep their passkeys if PASSKEY_RP_ID is the host of PUBLIC_URL', async () => {
    assert.equal((await logIn(earlier, key, OLD, HOSTS.public)).statusCode, 200)
    const moved = await move(HOSTS.public)
    assert.equal((await requestLogInChallenge({ harness: moved })).rpId, HOSTS.public)
    assert.equal((await logIn(moved, key, NEW, HOSTS.public)).statusCode, 200)
    // Browsers let all hosts of the domain use the passkey, so the service checks the origin.
    for (const host of [HOSTS.public, HOSTS.account, HOSTS.docs]) {
      const response = await logIn(moved, key, `https://${host}`, HOSTS.public)
      assertRefusal(response, signIn.logInByPasskey, 'PASSKEY_INVALID')
    }
  })

  it('add new passkeys if PASSKEY_RP_ID is the host of ADMIN_URL', async () => {
    const moved = await move(HOSTS.admin)
    const refused = await logIn(moved, key, NEW, HOSTS.public)
    assertRefusal(refused, signIn.logInByPasskey, 'PASSKEY_INVALID')
    const who = await logInAgain({ harness: moved }, operator)
    const newKey = await addKey(moved, who, NEW)
    assert.equal((await logIn(moved, newKey, NEW, HOSTS.admin)).statusCode, 200)
    const settings = await askAs({ harness: moved }, who, ownSignIn.readSignIn)
    const { passkeys } = settings.json<{ passkeys: { id: string; name: string }[] }>()
    assert.deepEqual(passkeys.map(({ name }) => name).toSorted(), [NEW, OLD].toSorted())
    const old = passkeys.find(({ name }) => name === OLD)
    const removed = await askAs({ harness: moved }, who, ownSignIn.removePasskey, { id: old?.id })
    assert.equal(removed.statusCode, 200, removed.body)
    assert.equal((await logIn(moved, newKey, NEW, HOSTS.admin)).statusCode, 200)
  })
})
