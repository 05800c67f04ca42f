/** Holds of client apps in the admin area, for admin-states.ts and their test. */
import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import { makeNamedPerson } from './admin-people-states.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import type { Tools } from './setup.ts'

export async function makeHeldPerson(tools: Tools) {
  const person = await makeNamedPerson(tools)
  await giveBonus(tools.ledger, person.walletId, 200_00n)
  for (const [name, amountMinor] of [
    ['City Bikes', 50_00n],
    ['Bean & Leaf', 15_00n],
  ] as const) {
    const app = await makeClientApp(tools, { name })
    await tools.ledger.post({
      kind: 'hold',
      walletId: person.walletId,
      counterAccount: app.ledgerAccount,
      amountMinor,
      description: null,
      referenceType: 'DEPOSIT',
      referenceId: randomUUID(),
      hold: { expiresInMs: 86_400_000 },
    })
  }
  return person
}

export const ADMIN_HOLD_STATES: readonly PageState[] = [
  {
    name: 'person-holds',
    async open(page, tools) {
      const { id } = await makeHeldPerson(tools)
      await enterAdmin(page, tools, 'operator', `/people/${id}?tab=holds`)
      await expect(page.getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'person-holds-release',
    async open(page, tools) {
      const { id } = await makeHeldPerson(tools)
      await enterAdmin(page, tools, 'operator', `/people/${id}?tab=holds`)
      await page.getByRole('button', { name: 'Release $50.00, held by City Bikes' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
