/** Reserved money at /account, for account-states.ts. */
import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enter, makeOwner, type Owner } from './owner.ts'
import type { Tools } from './setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** One hold is open; a part of the other was captured and the rest released. */
async function makeOwnerWithHolds(tools: Tools): Promise<Owner> {
  const owner = await makeOwner(tools)
  await giveBonus(tools.ledger, owner.walletId, 200_00n)
  const app = await makeClientApp(tools, { name: 'City Bikes' })
  const common = { walletId: owner.walletId, counterAccount: app.ledgerAccount }
  const hold = (description: string, amountMinor: bigint) =>
    tools.ledger.post({
      ...common,
      kind: 'hold',
      amountMinor,
      description,
      referenceType: 'RENTAL',
      referenceId: randomUUID(),
      hold: { expiresInMs: DAY_MS },
    })
  const { decision } = await hold('Deposit for bike 7', 50_00n)
  await tools.ledger.post({
    ...common,
    kind: 'capture',
    amountMinor: 12_30n,
    description: 'Bike 7, two hours',
    referenceType: 'RENTAL_END',
    referenceId: randomUUID(),
    holdChange: {
      target: decision.digest,
      isAmountOmitted: false,
      isFinal: true,
      isBalanceHidden: false,
    },
  })
  await hold('Deposit for bike 9', 30_00n)
  return owner
}

export const HOLD_STATES: readonly PageState[] = [
  {
    name: 'overview-held',
    async open(page, tools) {
      await enter(page, await makeOwnerWithHolds(tools))
      await expect(page.getByText('$30.00 more is reserved by apps.')).toBeVisible()
    },
  },
  {
    name: 'history-held',
    async open(page, tools) {
      await enter(page, await makeOwnerWithHolds(tools), '#history')
      await page.getByText('Reserved amount', { exact: true }).first().click()
      await expect(page.getByText('Details for support').first()).toBeVisible()
    },
  },
]
