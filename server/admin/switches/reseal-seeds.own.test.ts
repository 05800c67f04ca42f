import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADMIN_ENV, makeOperator } from '../../test/admin-setup.ts'
import { startHarness } from '../../test/harness.ts'
import type { NamedKey } from '../../config.ts'
import { readKeys } from './read-keys.ts'
import { resealSeeds } from './reseal-seeds.ts'

describe('resealSeeds', () => {
  it('remembers the key of the recovery codes over several rotations', async () => {
    const harness = await startHarness(ADMIN_ENV)
    await makeOperator(harness, 'owner')
    const { db, config } = harness.context
    const [first] = config.adminKeys ?? []
    assert(first)
    let keys: [NamedKey, ...NamedKey[]] = [first]
    for (const id of ['second', 'third']) {
      keys = [{ id, key: Buffer.alloc(32, id) }, ...keys]
      await resealSeeds(
        { db, keys },
        { actor: 'command line', actorId: null, address: null },
        { dropRecoveryCodes: false },
      )
    }
    const { adminKeys } = await readKeys({ db, config: { ...config, adminKeys: keys } })
    assert.deepEqual(
      adminKeys.map(({ id, authenticators, recoveryCodes }) => [id, authenticators, recoveryCodes]),
      [
        ['third', 1, 0],
        ['second', 0, 0],
        [first.id, 0, 1],
      ],
    )
    await harness.end()
  })
})
