/** The steps of a person on the top-up page. */
import type { FrameLocator, Page } from '@playwright/test'

export async function chooseAmount(place: Page | FrameLocator, amount: string) {
  await place.getByText(amount, { exact: true }).first().click()
  await place.getByRole('button', { name: 'Continue' }).click()
}

export async function payByCard(place: Page | FrameLocator, card: string) {
  const form = place.frameLocator('iframe[title]').first()
  await form.getByLabel('Card number').fill(card)
  await form.getByLabel('Expiration date').fill('1234')
  await form.getByLabel('Security code').fill('123')
  await place.getByRole('button', { name: /^Pay/ }).click()
}
