/** The steps of a person on the top-up page. */
import type { FrameLocator, Page } from '@playwright/test'
import { SERVICE } from './setup.ts'

/** Opens the page like somebody who received the link, and confirms that the wallet is theirs. */
export async function openTopupLink(page: Page, session: string) {
  await page.goto(`${SERVICE()}/widget/topup?session=${session}`)
  await page.getByRole('button', { name: 'Yes, it is mine' }).click()
}

export async function chooseAmount(page: Page | FrameLocator, amount: string) {
  await page.getByText(amount, { exact: true }).first().click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function payByCard(page: Page | FrameLocator, card: string) {
  const form = page.frameLocator('iframe[title]').first()
  await form.getByLabel('Card number').fill(card)
  await form.getByLabel('Expiration date').fill('1234')
  await form.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** In the window of the widget's top-up, to use a saved card. */
export async function enterPassword(page: Page, password: string) {
  const dialog = page.getByRole('dialog', { name: 'Pay with a saved card' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Show my cards' }).click()
}
