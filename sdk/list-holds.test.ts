import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newReference, openSdkSetup, thrownBy, type SdkSetup } from './test/sdk-setup.ts'
import type { HoldsInput, ListedHold } from './types.ts'

describe('holds', () => {
  let setup: SdkSetup
  before(async () => {
    setup = await openSdkSetup()
  })
  after(() => setup.end())

  it('lists every hold once, over all pages, of one user and in one state', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const references = Array.from({ length: 103 }, () => newReference())
    await Promise.all(
      references.map((reference) => coffer.hold({ serviceUserId, amount: 0.5, ...reference })),
    )
    const [captured, released] = references
    assert(captured && released)
    await coffer.capture({ hold: captured, amount: 0.2, ...newReference() })
    await coffer.release({ hold: released, ...newReference() })
    const list = async (input?: HoldsInput) => {
      const listed: ListedHold[] = []
      for await (const hold of coffer.holds(input)) listed.push(hold)
      return listed
    }
    const idsOf = (all: readonly { referenceId: string }[]) =>
      all.map(({ referenceId }) => referenceId).toSorted()
    for (const input of [undefined, { serviceUserId }]) {
      assert.deepEqual(idsOf(await list(input)), idsOf(references))
    }
    assert.deepEqual(idsOf(await list({ state: 'open' })), idsOf(references.slice(2)))
    const [taken] = await list({ serviceUserId, state: 'captured' })
    assert.deepEqual(
      [taken?.referenceId, taken?.captured, taken?.held],
      [captured.referenceId, 0.2, 0],
    )
    assert.deepEqual(idsOf(await list({ state: 'released' })), [released.referenceId])
    assert.deepEqual(await list({ state: 'expired' }), [])
  })

  it('throws the error of a page', async () => {
    const { coffer } = await setup.addShop()
    const pages = coffer.holds({ serviceUserId: 'su_unknown' })[Symbol.asyncIterator]()
    await thrownBy(pages.next(), 'USER_NOT_FOUND')
  })
})
