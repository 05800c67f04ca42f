/** The machine that runs the command stops, for example because its lid is closed, and its connections stay open. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type pg from 'pg'
import { giveBonus } from '../test/factories.ts'
import {
  connectOwner,
  OLDEST,
  openFilledArchive,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'
import { archiveMonths } from './archive-months.ts'
import { restoreMonth } from './restore-month.ts'

let setup: FilledArchive
beforeEach(async () => {
  setup = await openFilledArchive()
})
afterEach(() => setup.end())

/** A connection whose owner stops after this statement, before it can send the next one. */
async function connectFreezing(statement: RegExp) {
  const client = await connectOwner(setup.harness)
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const frozen = Promise.withResolvers<void>()
  const freezing = Object.assign(Object.create(client) as pg.Client, {
    async query(...args: unknown[]) {
      const [given] = args as [string | pg.QueryConfig]
      const result = await query(...args)
      if (!statement.test(typeof given === 'string' ? given : given.text)) return result
      frozen.resolve()
      return new Promise(() => undefined)
    },
  })
  return {
    freezing,
    end: () => client.end(),
    untilFrozen: () => frozen.promise,
  }
}

async function assertNobodyWaits() {
  const [walletId = 0n] = setup.wallets
  const { ledger } = setup.harness.context
  const startMs = performance.now()
  await giveBonus(ledger, walletId, 1n)
  await ledger.readHistory(20, walletId, 100n, 3)
  assert.ok(performance.now() - startMs < 2_000, 'writes or histories wait for the command')
}

describe('a command that stops while it has its exclusive lock', () => {
  for (const statement of [/in access exclusive mode/, /(de|at)tach partition/]) {
    it(`archive, after ${statement.source}: nobody waits`, async () => {
      const { freezing, untilFrozen, end } = await connectFreezing(statement)
      void archiveMonths({ ...setup.tools, locker: freezing }, RECENT)
      await untilFrozen()
      await assertNobodyWaits()
      await end()
      await setup.archive(RECENT)
      assert.equal(await setup.findFault(), undefined)
    })

    it(`restore, after ${statement.source}: nobody waits`, async () => {
      await setup.archive(RECENT)
      const { freezing, untilFrozen, end } = await connectFreezing(statement)
      const months = await setup.listMonths()
      const newest = months.at(-1)?.[0] ?? OLDEST
      void restoreMonth({ ...setup.restoreTools, client: freezing }, newest)
      await untilFrozen()
      await assertNobodyWaits()
      await end()
      assert.equal(await setup.findFault(), undefined)
    })
  }

  it('its connections notice that the machine is gone, as those of the service do', async () => {
    const names = ['idle', 'interval', 'count'].map((each) => `tcp_keepalives_${each}`)
    const { rows } = await setup.locker.query<Record<string, string>>(
      `select ${[...names, 'tcp_user_timeout'].map((each) => `current_setting('${each}') as ${each}`).join()}`,
    )
    assert.deepEqual(Object.values(rows[0] ?? {}), ['10', '3', '3', '20000'])
  })
})
