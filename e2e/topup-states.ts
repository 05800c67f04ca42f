/** All states of the top-up page, for the accessibility tests and the screenshots. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { callSandbox } from './payer.ts'
import { SERVICE } from './setup.ts'
import { chooseAmount, enterPassword, openTopupLink, payByCard } from './topup-page.ts'
import { makeTopupLink, openSession } from './topup-link.ts'
import type { StateSetup } from './widget-states.ts'

export interface TopupState {
  name: string
  open: (setup: StateSetup) => Promise<void>
}

const CREATE_INTENT = '**/api/widget/topup/create-intent?*'

async function open({ page, shop, tools }: StateSetup) {
  const user = await makeLinkedUser(tools, shop.app, 32_40n)
  await openTopupLink(page, await openSession(shop.app, user))
  await expect(page.getByRole('heading', { name: 'Add money' })).toBeVisible()
  return user
}

async function continueToCard(page: Page) {
  await chooseAmount(page, '$25')
  const form = page.frameLocator('iframe[title]').first()
  await expect(form.getByLabel('Card number')).toBeVisible()
}

async function openCard(setup: StateSetup) {
  await open(setup)
  await continueToCard(setup.page)
}

async function payWith(setup: StateSetup, card: string, seen: RegExp) {
  await openCard(setup)
  await payByCard(setup.page, card)
  await expect(setup.page.getByText(seen).first()).toBeVisible({ timeout: 20_000 })
}

/** Opens the page as a bank's redirect or a received link does. */
async function openLink({ page, shop, tools }: StateSetup, card: string, seen: RegExp, query = '') {
  const user = await makeLinkedUser(tools, shop.app)
  const { link, paymentIntentId } = await makeTopupLink(shop.app, user, 250)
  if (card) await callSandbox(`payment_intents/${paymentIntentId}/complete`, { card })
  await page.goto(link + query)
  await expect(page.getByRole('heading', { name: seen })).toBeVisible()
}

async function refuseIntent(page: Page, status: number, code: string, retryAfter = '600') {
  await page.route(CREATE_INTENT, (route) =>
    route.fulfill({
      status,
      headers: { 'Retry-After': retryAfter, 'Content-Type': 'application/json' },
      body: JSON.stringify({ error: 'no', code }),
    }),
  )
}

const CARDS = [
  { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 8, expYear: 2030, isDefault: true },
  { id: 'pm_2', brand: 'amex', last4: '0005', expMonth: 3, expYear: 2031, isDefault: false },
]

async function openProof(setup: StateSetup) {
  await open(setup)
  await setup.page.getByRole('button', { name: 'Pay with a saved card' }).click()
}

async function openSavedCards(setup: StateSetup, cards: object[]) {
  await setup.page.route('**/api/widget/topup/cards?*', (route) =>
    route.fulfill({ json: { ticket: 'x'.repeat(32), cards } }),
  )
  await openProof(setup)
  await enterPassword(setup.page, 'a password')
  await expect(setup.page.getByRole('dialog')).toHaveCount(0)
}

export const TOPUP_STATES: readonly TopupState[] = [
  {
    name: 'confirm-owner',
    async open({ page, shop, tools }) {
      const user = await makeLinkedUser(tools, shop.app, 32_40n)
      await page.goto(`${SERVICE()}/widget/topup?session=${await openSession(shop.app, user)}`)
      await expect(page.getByText('…@example.com')).toBeVisible()
    },
  },
  {
    name: 'amount',
    async open(setup) {
      await open(setup)
    },
  },
  { name: 'saved-card-password', open: openProof },
  {
    name: 'saved-card-wrong-password',
    async open(setup) {
      await openProof(setup)
      await enterPassword(setup.page, 'not the password')
      await expect(setup.page.getByText('The password is wrong.')).toBeVisible()
    },
  },
  { name: 'saved-card-choose', open: (setup) => openSavedCards(setup, CARDS) },
  { name: 'saved-card-none', open: (setup) => openSavedCards(setup, []) },
  { name: 'card', open: openCard },
  {
    name: 'card-long-name',
    async open(setup) {
      const user = await open(setup)
      // The longest names; the second one tries to reverse the direction of the text after it.
      await setup.tools.admin.query(
        'update directory.people set first_name = $2, last_name = $3 where service_user_id = $1',
        [user.id, 'W'.repeat(80), `\u202e${'Bartholomew '.repeat(6)}`],
      )
      await continueToCard(setup.page)
    },
  },
  {
    name: 'declined',
    open: (setup) => payWith(setup, '4000000000000002', /declined/i),
  },
  {
    name: 'success',
    open: (setup) => payWith(setup, '4242424242424242', /\$25\.00 added/),
  },
  {
    name: 'paid-without-session',
    async open(setup) {
      await openCard(setup)
      await setup.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      await payByCard(setup.page, '4242424242424242')
      await expect(setup.page.getByText(/Paid/).first()).toBeVisible({ timeout: 20_000 })
    },
  },
  {
    name: 'action',
    async open(setup) {
      await openCard(setup)
      await payByCard(setup.page, '4000002500003155')
      await expect(setup.page.locator('iframe[title="3-D Secure"]')).toBeVisible()
      await setup.page.reload()
      await expect(setup.page.getByRole('heading', { name: /bank/ })).toBeVisible()
    },
  },
  { name: 'link-open', open: (setup) => openLink(setup, '', /not complete/) },
  {
    name: 'link-open-with-session',
    async open(setup) {
      const user = await makeLinkedUser(setup.tools, setup.shop.app)
      const session = await openSession(setup.shop.app, user)
      await openLink(setup, '', /not complete/, `&session=${session}`)
    },
  },
  { name: 'link-failed', open: (setup) => openLink(setup, '4000000000000002', /failed/) },
  { name: 'link-paid', open: (setup) => openLink(setup, '4242424242424242', /paid/) },
  {
    name: 'link-processing',
    async open(setup) {
      await callSandbox('faults', { processing: true })
      try {
        await openLink(setup, '4242424242424242', /processing/)
      } finally {
        await callSandbox('faults', { processing: false })
      }
    },
  },
  {
    name: 'expired',
    async open(setup) {
      await open(setup)
      await setup.page.getByText('$25', { exact: true }).first().click()
      await setup.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      const next = setup.page.getByRole('button', { name: 'Continue' })
      // The page may notice by itself before the button is pressed.
      await next.click({ timeout: 2_000 }).catch(() => undefined)
      await expect(setup.page.getByText(/session has ended/i).first()).toBeVisible()
    },
  },
  {
    name: 'frozen',
    async open(setup) {
      await open(setup)
      await refuseIntent(setup.page, 403, 'WALLET_INACTIVE')
      await chooseAmount(setup.page, '$25')
      await expect(setup.page.getByText(/frozen/i).first()).toBeVisible()
    },
  },
  {
    name: 'too-many',
    async open(setup) {
      await open(setup)
      await refuseIntent(setup.page, 429, 'RATE_LIMITED')
      await chooseAmount(setup.page, '$25')
      await expect(setup.page.getByText(/Too many|Try again in/i).first()).toBeVisible()
    },
  },
  {
    name: 'day-limit',
    async open(setup) {
      await open(setup)
      await refuseIntent(setup.page, 429, 'TOPUP_LIMIT_EXCEEDED', '30000')
      await chooseAmount(setup.page, '$25')
      await expect(setup.page.getByText(/in 24 hours/).first()).toBeVisible()
    },
  },
  {
    name: 'processor-down',
    async open(setup) {
      await open(setup)
      await refuseIntent(setup.page, 502, 'PAYMENT_PROVIDER_ERROR', '5')
      await chooseAmount(setup.page, '$25')
      await expect(setup.page.getByText(/charged/i).first()).toBeVisible()
    },
  },
]
