/** The responses of the server API and the widget while all writes or those of one app are paused. */
import { capture, hold, release } from '@coffer/contract/server/holds'
import * as server from '@coffer/contract/server/wallet'
import { createSession, readWidgetWallet } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { link } from '../identity/link.ts'
import { setAppPause } from '../admin/app-pause-queries.ts'
import { placeHold } from '../test/ledger/hold-setup.ts'
import { mintSession } from '../test/shop.ts'
import {
  assertReplay,
  call,
  addShop,
  movesNothing,
  openSetup,
  type Fields,
  type Setup,
} from '../test/setup.ts'

const PAUSE = { by: 'ada@example.com', reason: 'A test of the pause' }

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

function fieldsOf({ user }: Setup): Fields {
  const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
  return { serviceUserId: user.serviceUserId, amount: 1.5, ...pair }
}

function assertPaused(response: LightMyRequestResponse) {
  assert.deepEqual([response.statusCode, response.json().code], [503, 'SERVICE_UNAVAILABLE'])
  assert.equal(response.headers['retry-after'], '30')
}

async function assertReadsGoOn(shop: Setup, known: Fields) {
  const { serviceUserId } = shop.user
  const { referenceType, referenceId } = known
  const session = await mintSession(shop)
  const reads = await Promise.all([
    call(shop, server.readWallet, { serviceUserId }),
    call(shop, server.checkBalance, { serviceUserId, requiredAmount: '1' }),
    call(shop, server.findOperation, { referenceType, referenceId }),
    call(shop, createSession, { serviceUserId }),
    call(shop, readWidgetWallet, { session }),
  ])
  assert.deepEqual(
    reads.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200],
  )
}

/** The two ways to pause writes. Callers must not see a difference between them. */
const SWITCHES = {
  'all writes': (_: Setup, pause: typeof PAUSE | null) =>
    setup.harness.context.ledger.setPause(pause),
  "one app's writes": async ({ app }: Setup, pause: typeof PAUSE | null) => {
    await setup.harness.context.db.query(setAppPause(app.clientId, pause))
    await sleep(500)
  },
}

for (const [what, set] of Object.entries(SWITCHES)) {
  describe(`while ${what} are paused`, () => {
    let shop: Setup
    let known: Fields
    let poor: Fields
    let placed: Fields
    let responses: LightMyRequestResponse[]
    before(async () => {
      shop = await addShop(setup.harness)
      known = fieldsOf(shop)
      poor = { ...fieldsOf(shop), amount: 10_000 }
      responses = [await call(shop, server.debit, known), await call(shop, server.debit, poor)]
      placed = await placeHold(shop, 2)
      await set(shop, PAUSE)
    })
    after(() => set(shop, null))

    it('503 SERVICE_UNAVAILABLE for a new operation of every kind, and no money moves', async () => {
      const { serviceUserId: _, amount: __, ...pair } = fieldsOf(shop)
      const { referenceType, referenceId } = known
      await movesNothing(setup.harness.admin, async () => {
        for (const endpoint of [server.debit, server.credit, hold]) {
          assertPaused(await call(shop, endpoint, fieldsOf(shop)))
        }
        const refunded = { debit: { referenceType, referenceId }, ...pair }
        assertPaused(await call(shop, server.refund, refunded))
        for (const endpoint of [capture, release]) {
          assertPaused(await call(shop, endpoint, { hold: placed, ...pair }))
        }
      })
    })

    it('a repeat returns its original outcome, including a refusal, and a repeat that differs is marked', async () => {
      const [posted, refused] = responses as [LightMyRequestResponse, LightMyRequestResponse]
      assertReplay(await call(shop, server.debit, known), posted)
      assertReplay(await call(shop, server.debit, poor), refused)
      assertReplay(await call(shop, server.debit, { ...known, amount: 2 }), posted, 'amount')
      assertReplay(await call(shop, server.credit, known), posted, 'direction')
    })

    it('200 reads, sessions and lookups still work', () => assertReadsGoOn(shop, known))

    it('200 for the same pair when writes resume', async () => {
      const fields = fieldsOf(shop)
      assertPaused(await call(shop, server.debit, fields))
      await set(shop, null)
      const response = await call(shop, server.debit, fields)
      assert.equal(response.statusCode, 200, response.body)
      assert.equal(response.headers['idempotency-replayed'], undefined)
      await set(shop, PAUSE)
    })
  })
}

describe("one app's pause", () => {
  it('does not affect another app, even for the same user', async () => {
    const shop = await addShop(setup.harness)
    const neighbour = await addShop(setup.harness)
    await SWITCHES["one app's writes"](shop, PAUSE)
    assertPaused(await call(shop, server.debit, fieldsOf(shop)))
    assert.equal((await call(neighbour, server.debit, fieldsOf(neighbour))).statusCode, 200)
    const { db } = setup.harness.context
    const serviceUserId = await link(db, neighbour.app.id, shop.user.id)
    const shared = { ...fieldsOf(neighbour), serviceUserId }
    assert.equal((await call(neighbour, server.debit, shared)).statusCode, 200)
  })
})
