/** Saved cards and automatic top-up at /account. */
import { expect } from '@playwright/test'
import {
  answerChallenge,
  isAccessible,
  openTopup,
  saveCard,
  SECURE,
  seesDone,
} from './saved-card.ts'
import { SERVICE, test } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

test('a saved card pays in two clicks, also with the keyboard only', async ({ window, tools }) => {
  const owner = await saveCard(window, tools)
  await openTopup(window)
  await expect(window.getByLabel(/^Visa ending in 4242/)).toBeChecked()
  await isAccessible(window)
  await window.getByRole('button', { name: 'Continue' }).focus()
  await window.keyboard.press('Enter')
  await expect(window.getByRole('heading', { name: 'Pay with your saved card' })).toBeFocused()
  await isAccessible(window)
  await window.keyboard.press('Tab')
  await expect(window.getByRole('button', { name: /^Pay/ })).toBeFocused()
  await window.keyboard.press('Enter')
  await seesDone(window)
  await expect(window.getByText(/, Visa ending in 4242\. Your balance is \$50\.00/)).toBeVisible()
  expect((await tools.ledger.readWallet(owner.walletId))?.balance).toBe(50_00n)
})

test('3-D Secure with a saved card; a reload in between continues it', async ({
  window,
  tools,
}) => {
  await saveCard(window, tools, SECURE)
  await openTopup(window)
  await expect(window.getByLabel(/^Visa ending in 3155/)).toBeChecked()
  await window.getByRole('button', { name: 'Continue' }).click()
  const heading = window.getByRole('heading', { name: 'Pay with your saved card' })
  await expect(heading).toBeVisible()
  await window.reload()
  await expect(heading).toBeVisible()
  await window.getByRole('button', { name: /^Pay/ }).click()
  await answerChallenge(window)
  await seesDone(window)
})

test('another card instead of the saved one is not saved by itself', async ({ window, tools }) => {
  await saveCard(window, tools)
  await openTopup(window)
  await window.getByLabel('Another card').check()
  await expect(window.getByLabel('Save this card for next time')).not.toBeChecked()
  await chooseAmount(window, '$25')
  await payByCard(window, '5555555555554444')
  await seesDone(window)
  await window.goto(`${SERVICE()}/account#profile`)
  await expect(window.getByText('Visa ending in 4242', { exact: true }).first()).toBeVisible()
  await expect(window.getByText('Mastercard ending in 4444')).toBeHidden()
})

test('a person sets up automatic top-up, and removes the card', async ({ window, tools }) => {
  const owner = await saveCard(window, tools)
  await window.goto(`${SERVICE()}/account#profile`)
  await window.getByRole('button', { name: 'Set up' }).click()
  const dialog = window.getByRole('dialog', { name: 'Automatic top-up' })
  await isAccessible(window)
  await dialog.getByLabel(/^When the balance is below/).fill('200')
  await dialog.getByLabel(/^Add/).fill('40')
  await dialog.getByLabel(/^At most per month/).fill('30')
  await dialog.getByLabel('Password', { exact: true }).fill(owner.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter at least the amount of one top-up.')).toBeVisible()
  await dialog.getByLabel(/^At most per month/).fill('40')
  const terms =
    'When my balance is below $200.00, charge $40.00 to Visa ending in 4242: at most once per hour, and at most $40.00 per month.'
  await expect(dialog.getByText(terms)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText('Automatic top-up is now on.')).toBeFocused()
  await isAccessible(window)
  await expect
    .poll(async () => (await tools.ledger.readWallet(owner.walletId))?.balance, { timeout: 30_000 })
    .toBe(65_00n)
  await window.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  await isAccessible(window)
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(window.getByText('Card removed: Visa ending in 4242.')).toBeFocused()
  await expect(window.getByText('Suspended: the card was removed.')).toBeVisible()
  await window.getByRole('button', { name: 'Turn off' }).click()
  await expect(window.getByText('Automatic top-up is now off.')).toBeVisible()
})
