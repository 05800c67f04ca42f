/** Limits of connected apps at /account, for account-states.ts. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { link } from '../server/identity/link.ts'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enter, makeOwner } from './owner.ts'
import type { Tools } from './setup.ts'

/** The dialog with the limits of an app that has taken money, filled. */
async function openLimits(page: Page, tools: Tools) {
  const owner = await makeOwner(tools)
  const { walletId } = owner
  await giveBonus(tools.ledger, walletId, 250_00n)
  for (const name of ['Corner Shop', 'Tea House']) {
    const app = await makeClientApp(tools, { name })
    await link(tools.db, app.id, owner.id)
    await tools.ledger.post({
      kind: 'debit',
      amountMinor: 29_99n,
      walletId,
      counterAccount: app.ledgerAccount,
      description: null,
      referenceType: 'ORDER_PAYMENT',
      referenceId: randomUUID(),
    })
  }
  await enter(page, owner, '#apps')
  await page.getByRole('button', { name: 'Limits for Tea House' }).click()
  await page.getByLabel('Largest single payment').fill('40')
  await page.getByLabel('Total per day').fill('150')
  await page.getByLabel('Total per month').fill('1000')
  await page.getByLabel('Last day').fill('2027-06-30')
}

export const SPENDING_LIMIT_STATES: PageState[] = [
  { name: 'apps-limits-dialog', open: openLimits },
  {
    name: 'apps-limits',
    async open(page, tools) {
      await openLimits(page, tools)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('The limits for Tea House are saved.')).toBeVisible()
    },
  },
  {
    name: 'apps-limits-wrong',
    async open(page, tools) {
      await openLimits(page, tools)
      await page.getByLabel('Total per day').fill('a lot')
      await page.getByRole('button', { name: 'Save' }).click()
    },
  },
]
