import { RESTRICTED_SECRETS_MAX } from '@coffer/contract/limits'
import { SECRET_SCOPES } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addShop, openSetup, type Setup } from '../test/setup.ts'
import { normalize } from './restriction.ts'
import { findLiveSecrets, revokeSecretNow, rotateSecret } from './rotate-secret.ts'

const NETWORKS = ['203.0.113.0/24', '2001:db8:1::/48']

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

const tools = () => ({
  db: setup.harness.context.db,
  peppers: setup.harness.context.config.peppers,
})

describe('the rotation of a restricted secret', () => {
  const restriction = { name: 'refunds', scopes: ['wallet:refund' as const], networks: [] }

  it('keeps the other secrets, and at most two with its name', async () => {
    const { app } = await addShop(setup.harness)
    const rotate = () => rotateSecret(tools(), app.clientId, { overlap: '1h', restriction })
    for (let round = 0; round < 3; round++) await rotate()
    await rotateSecret(tools(), app.clientId, { overlap: 'none' })
    const live = await findLiveSecrets(tools().db, app.clientId)
    assert.deepEqual(
      live.map((each) => [each.restriction?.name, each.expiresAt === null]),
      [
        ['refunds', false],
        ['refunds', true],
        [undefined, true],
      ],
    )
  })

  it(`is refused for more than ${RESTRICTED_SECRETS_MAX} names that are not revoked`, async () => {
    const { app } = await addShop(setup.harness)
    const rotate = (name: string) =>
      rotateSecret(tools(), app.clientId, {
        overlap: 'none',
        restriction: { ...restriction, name },
      })
    for (let index = 0; index < RESTRICTED_SECRETS_MAX; index++) await rotate(`name-${index}`)
    await assert.rejects(rotate('one-more'), { code: 'INVALID_REQUEST' })
    await rotate('name-3')
    const secrets = await findLiveSecrets(tools().db, app.clientId)
    const unused = secrets.find((secret) => secret.restriction?.name === 'name-5')
    assert.ok(unused)
    await revokeSecretNow(tools().db, app.clientId, unused.id)
    await rotate('one-more')
  })

  it('does not depend on the order of scopes and networks', () => {
    const [one, other] = [
      { name: 'a', scopes: [...SECRET_SCOPES], networks: NETWORKS },
      {
        name: 'a',
        scopes: SECRET_SCOPES.toReversed(),
        networks: [...NETWORKS.toReversed(), ...NETWORKS],
      },
    ].map(normalize)
    assert.deepEqual(one, other)
  })
})
