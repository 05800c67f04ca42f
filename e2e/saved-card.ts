/** A person pays at /account and saves the card. */
import { expect, type Page } from '@playwright/test'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner, type Owner } from './owner.ts'
import { SERVICE, type Tools } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

const GOOD = '4242424242424242'
export const SECURE = '4000002500003155'

export async function isAccessible(page: Page) {
  await expectAxeFindsNothing(page)
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  await expect.poll(() => page.evaluate(fits)).toBe(true)
}

export const seesDone = (page: Page) =>
  expect(page.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })

export async function openTopup(page: Page) {
  await page.goto(`${SERVICE()}/account`)
  await page.getByRole('link', { name: 'Add money' }).click()
  await expect(page.getByText(/^Balance: /)).toBeVisible()
}

/** Pays once with a new card, and saves it. */
export async function saveCard(page: Page, tools: Tools, card = GOOD): Promise<Owner> {
  const owner = await makeOwner(tools)
  await enter(page, owner)
  await openTopup(page)
  await page.getByLabel('Save this card for next time').check()
  await isAccessible(page)
  await chooseAmount(page, '$25')
  await payByCard(page, card)
  if (card === SECURE) await answerChallenge(page)
  await seesDone(page)
  return owner
}

export async function answerChallenge(page: Page) {
  const challenge = page.frameLocator('iframe[title="3-D Secure"]')
  await challenge.getByRole('button', { name: /Complete/ }).click({ timeout: 20_000 })
}
