import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { link } from '../server/identity/link.ts'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner } from './owner.ts'
import { test, type Tools } from './setup.ts'

async function isAccessible(page: Page) {
  await expectAxeFindsNothing(page)
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  await expect.poll(() => page.evaluate(fits)).toBe(true)
}

async function takeFrom(tools: Tools, walletId: bigint, counterAccount: number, cents: bigint) {
  const { decision } = await tools.ledger.post({
    kind: 'debit',
    amountMinor: cents,
    walletId,
    counterAccount,
    description: null,
    referenceType: 'ORDER',
    referenceId: randomUUID(),
  })
  return decision.refusal
}

test('a person limits what an app may take, and removes the limits', async ({
  window: page,
  tools,
}) => {
  const person = await makeOwner(tools)
  const { walletId } = person
  await giveBonus(tools.ledger, walletId, 100_00n)
  const app = await makeClientApp(tools, { name: 'Tea House' })
  await link(tools.db, app.id, person.id)
  expect(await takeFrom(tools, walletId, app.ledgerAccount, 2_50n)).toBe(null)
  await enter(page, person, '#apps')
  const open = page.getByRole('button', { name: 'Limits for Tea House' })
  await open.click()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Limits for Tea House' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await page.getByLabel('Total per day').fill('ten')
  await save.click()
  await expect(page.getByLabel('Total per day')).toBeFocused()
  await expect(dialog.getByText('Enter an amount such as 20 or 19.99')).toBeVisible()
  // The service knows how many decimals the currency has.
  await page.getByLabel('Total per day').fill('10.005')
  await save.click()
  await expect(page.getByLabel('Total per day')).toBeFocused()
  await isAccessible(page)
  await page.getByLabel('Total per day').fill('10.00')
  await page.getByLabel('Largest single payment').fill('1,000')
  await page.getByLabel('Last day').fill('2999-01-31')
  await save.click()
  await expect(page.getByText('The limits for Tea House are saved.')).toBeFocused()
  await expect(page.getByText('$2.50 of $10.00 used today')).toBeVisible()
  await expect(page.getByText('At most $1,000.00 per payment')).toBeVisible()
  await expect(page.getByText('Until Jan 31, 2999')).toBeVisible()
  await isAccessible(page)
  expect(await takeFrom(tools, walletId, app.ledgerAccount, 7_51n)).toBe('SPEND_LIMIT_EXCEEDED')
  expect(await takeFrom(tools, walletId, app.ledgerAccount, 7_50n)).toBe(null)
  await page.reload()
  await expect(page.getByText('$10.00 of $10.00 used today')).toBeVisible()

  await open.click()
  await expect(page.getByLabel('Largest single payment')).toHaveValue('1000')
  await expect(page.getByLabel('Last day')).toHaveValue('2999-01-31')
  for (const label of ['Largest single payment', 'Total per day', 'Last day']) {
    await page.getByLabel(label).fill('')
  }
  await save.click()
  // The app could take more, so the person confirms it.
  await expect(dialog.getByText('The app could take more than before.')).toBeVisible()
  await isAccessible(page)
  await save.click()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await dialog.getByLabel('Password', { exact: true }).fill('another harbour at dusk')
  await save.click()
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await save.click()
  await expect(page.getByText('Tea House has no limits.')).toBeFocused()
  await expect(page.getByText('used today')).toHaveCount(0)
  expect(await takeFrom(tools, walletId, app.ledgerAccount, 50_00n)).toBe(null)
})
