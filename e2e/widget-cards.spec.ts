/** A saved card in the window of the widget's top-up: the person enters the password, and it pays once. */
import { expect, type Page } from '@playwright/test'
import { link } from '../server/identity/link.ts'
import { makeClientApp, type TestApp } from '../server/test/factories.ts'
import type { Owner } from './owner.ts'
import { answerChallenge, isAccessible, saveCard, SECURE, seesDone } from './saved-card.ts'
import { test, type Tools } from './setup.ts'
import { openSession } from './topup-link.ts'
import { enterPassword, openTopupLink } from './topup-page.ts'

async function openWidgetTopup(page: Page, tools: Tools, owner: Owner, app?: TestApp) {
  const shop = app ?? (await makeClientApp(tools, { name: 'Corner Shop' }))
  const serviceUserId = await link(tools.db, shop.id, owner.id)
  await openTopupLink(page, await openSession(shop, { id: owner.id, serviceUserId }))
  await expect(page.getByRole('heading', { name: 'Add money' })).toBeVisible()
}

const openProof = (page: Page) =>
  page.getByRole('button', { name: 'Pay with a saved card' }).click()

test('pays with a saved card, with the keyboard only', async ({ window, tools }) => {
  const owner = await saveCard(window, tools)
  await openWidgetTopup(window, tools, owner)
  await window.getByRole('button', { name: 'Pay with a saved card' }).focus()
  await window.keyboard.press('Enter')
  await isAccessible(window)
  const password = window.getByRole('dialog').getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await window.keyboard.type('not the password')
  await window.keyboard.press('Enter')
  await expect(window.getByText('The password is wrong. Check it and try again.')).toBeVisible()
  await expect(password).toBeFocused()
  await password.fill(owner.password)
  await window.keyboard.press('Enter')
  await expect(window.getByLabel(/^Visa ending in 4242/)).toBeFocused()
  await expect(window.getByLabel(/^Visa ending in 4242/)).toBeChecked()
  await isAccessible(window)
  await window.getByRole('button', { name: 'Continue' }).focus()
  await window.keyboard.press('Enter')
  await expect(window.getByRole('heading', { name: 'Pay with your saved card' })).toBeFocused()
  await window.keyboard.press('Tab')
  await window.keyboard.press('Enter')
  await seesDone(window)
  await expect(window.getByText(/, Visa ending in 4242\. Your balance is \$50\.00/)).toBeVisible()
  expect((await tools.ledger.readWallet(owner.walletId))?.balance).toBe(50_00n)
})

test('3-D Secure; a reload in between continues it', async ({ window, tools }) => {
  const owner = await saveCard(window, tools, SECURE)
  await openWidgetTopup(window, tools, owner)
  await openProof(window)
  await enterPassword(window, owner.password)
  await expect(window.getByLabel(/^Visa ending in 3155/)).toBeChecked()
  await window.getByRole('button', { name: 'Continue' }).click()
  const heading = window.getByRole('heading', { name: 'Pay with your saved card' })
  await expect(heading).toBeVisible()
  await window.reload()
  await expect(heading).toBeVisible()
  await window.getByRole('button', { name: /^Pay \$/ }).click()
  await answerChallenge(window)
  await seesDone(window)
})

test('a payment that did not start needs the password again', async ({ window, tools }) => {
  const owner = await saveCard(window, tools)
  await openWidgetTopup(window, tools, owner)
  await openProof(window)
  await enterPassword(window, owner.password)
  await expect(window.getByLabel(/^Visa ending in 4242/)).toBeChecked()
  await window.route('**/api/widget/topup/cards/create-intent?*', (route) => route.abort())
  await window.getByRole('button', { name: 'Continue' }).click()
  await expect(window.getByText('Enter your password again to use a saved card.')).toBeVisible()
  await expect(window.getByLabel(/^Visa ending in 4242/)).toHaveCount(0)
  await window.unroute('**/api/widget/topup/cards/create-intent?*')
  await openProof(window)
  await enterPassword(window, owner.password)
  await expect(window.getByLabel(/^Visa ending in 4242/)).toBeChecked()
  await window.getByRole('button', { name: 'Continue' }).click()
  await window.getByRole('button', { name: /^Pay \$/ }).click()
  await seesDone(window)
})
