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
  furnish,
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

async function assertReadsGoOn(there: Setup, known: Fields) {
  const { serviceUserId } = there.user
  const { referenceType, referenceId } = known
  const session = await mintSession(there)
  const reads = await Promise.all([
    call(there, server.readWallet, { serviceUserId }),
    call(there, server.checkBalance, { serviceUserId, requiredAmount: '1' }),
    call(there, server.findOperation, { referenceType, referenceId }),
    call(there, createSession, { serviceUserId }),
    call(there, readWidgetWallet, { session }),
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
    let there: Setup
    let known: Fields
    let poor: Fields
    let placed: Fields
    let responses: LightMyRequestResponse[]
    before(async () => {
      there = await furnish(setup.harness)
      known = fieldsOf(there)
      poor = { ...fieldsOf(there), amount: 10_000 }
      responses = [await call(there, server.debit, known), await call(there, server.debit, poor)]
      placed = await placeHold(there, 2)
      await set(there, PAUSE)
    })
    after(() => set(there, null))

    it('503 SERVICE_UNAVAILABLE for a new operation of every kind, and no money moves', async () => {
      const { serviceUserId: _, amount: __, ...pair } = fieldsOf(there)
      const { referenceType, referenceId } = known
      await movesNothing(setup.harness.admin, async () => {
        for (const endpoint of [server.debit, server.credit, hold]) {
          assertPaused(await call(there, endpoint, fieldsOf(there)))
        }
        const refunded = { debit: { referenceType, referenceId }, ...pair }
        assertPaused(await call(there, server.refund, refunded))
        for (const endpoint of [capture, release]) {
          assertPaused(await call(there, endpoint, { hold: placed, ...pair }))
        }
      })
    })

    it('a repeat returns its original outcome, including a refusal, and a repeat that differs is marked', async () => {
      const [posted, refused] = responses as [LightMyRequestResponse, LightMyRequestResponse]
      assertReplay(await call(there, server.debit, known), posted)
      assertReplay(await call(there, server.debit, poor), refused)
      assertReplay(await call(there, server.debit, { ...known, amount: 2 }), posted, 'amount')
      assertReplay(await call(there, server.credit, known), posted, 'direction')
    })

    it('200 reads, sessions and lookups still work', () => assertReadsGoOn(there, known))

    it('200 for the same pair when writes resume', async () => {
      const fields = fieldsOf(there)
      assertPaused(await call(there, server.debit, fields))
      await set(there, null)
      const response = await call(there, server.debit, fields)
      assert.equal(response.statusCode, 200, response.body)
      assert.equal(response.headers['idempotency-replayed'], undefined)
      await set(there, PAUSE)
    })
  })
}

describe("one app's pause", () => {
  it('does not affect another app, even for the same user', async () => {
    const there = await furnish(setup.harness)
    const neighbour = await furnish(setup.harness)
    await SWITCHES["one app's writes"](there, PAUSE)
    assertPaused(await call(there, server.debit, fieldsOf(there)))
    assert.equal((await call(neighbour, server.debit, fieldsOf(neighbour))).statusCode, 200)
    const { db } = setup.harness.context
    const serviceUserId = await link(db, neighbour.app.id, there.user.id)
    const shared = { ...fieldsOf(neighbour), serviceUserId }
    assert.equal((await call(neighbour, server.debit, shared)).statusCode, 200)
  })
})
