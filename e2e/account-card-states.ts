/** Saved cards and automatic top-up at /account, for account-states.ts. */
import { expect, type Page } from '@playwright/test'
import type { PageState } from './page-state.ts'
import { enter, makeOwner } from './owner.ts'
import { SERVICE, type Tools } from './setup.ts'

const CARDS = [
  { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 8, expYear: 2030, isDefault: true },
  { id: 'pm_2', brand: 'amex', last4: '0005', expMonth: 3, expYear: 2024, isDefault: false },
]
const TERMS = { threshold: 10, amount: 20, monthMax: 100, timeZone: 'UTC' }

async function openProfile(page: Page, tools: Tools, cards: object[], terms: object | null = null) {
  await page.route('**/api/account/topup/cards', (route) => route.fulfill({ json: { cards } }))
  await page.route('**/api/account/automatic-topup', (route) =>
    route.fulfill({
      json: { automaticTopup: terms, minAmount: 1, maxAmount: 500, currency: 'USD' },
    }),
  )
  await enter(page, await makeOwner(tools), '#profile')
  const heading = page.getByRole('heading', { name: 'Saved cards' })
  await heading.scrollIntoViewIfNeeded()
  await expect(page.getByRole('heading', { name: 'Automatic top-up' })).toBeVisible()
}

const SUSPENDED = {
  ...TERMS,
  cardId: 'pm_1',
  cardName: 'visa 4242',
  suspendedFor: 'authentication',
}

export const CARD_STATES: PageState[] = [
  { name: 'cards-empty', open: (page, tools) => openProfile(page, tools, []) },
  { name: 'cards-full', open: (page, tools) => openProfile(page, tools, CARDS, SUSPENDED) },
  {
    name: 'cards-remove',
    async open(page, tools) {
      await openProfile(page, tools, CARDS)
      await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
    },
  },
  {
    name: 'cards-automatic',
    async open(page, tools) {
      await openProfile(page, tools, CARDS)
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByRole('dialog').getByLabel(/^Add/).fill('9999')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    },
  },
  {
    name: 'cards-choose',
    async open(page, tools) {
      await page.route('**/api/account/topup/cards', (route) =>
        route.fulfill({ json: { cards: CARDS } }),
      )
      await enter(page, await makeOwner(tools))
      await page.goto(`${SERVICE()}/account/topup`)
      await expect(page.getByLabel(/^Visa ending in 4242/)).toBeChecked()
    },
  },
]
