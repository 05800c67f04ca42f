/** All states of the top-up page, for the accessibility tests and the screenshots. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { drive } from './payer.ts'
import { SERVICE } from './setup.ts'
import { chooseAmount, enterPassword, openTopupLink, payByCard } from './topup-page.ts'
import { makeTopupLink, openSession } from './topup-link.ts'
import type { Scene } from './widget-states.ts'

export interface TopupState {
  name: string
  open: (scene: Scene) => Promise<void>
}

const CREATE_INTENT = '**/api/widget/topup/create-intent?*'

async function open({ page, shop, tools }: Scene) {
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

async function openCard(scene: Scene) {
  await open(scene)
  await continueToCard(scene.page)
}

async function payWith(scene: Scene, card: string, seen: RegExp) {
  await openCard(scene)
  await payByCard(scene.page, card)
  await expect(scene.page.getByText(seen).first()).toBeVisible({ timeout: 20_000 })
}

/** Opens the page as a bank's redirect or a received link does. */
async function openLink({ page, shop, tools }: Scene, card: string, seen: RegExp, query = '') {
  const user = await makeLinkedUser(tools, shop.app)
  const { link, paymentIntentId } = await makeTopupLink(shop.app, user, 250)
  if (card) await drive(`payment_intents/${paymentIntentId}/complete`, { card })
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

async function openProof(scene: Scene) {
  await open(scene)
  await scene.page.getByRole('button', { name: 'Pay with a saved card' }).click()
}

async function openSavedCards(scene: Scene, cards: object[]) {
  await scene.page.route('**/api/widget/topup/cards?*', (route) =>
    route.fulfill({ json: { ticket: 'x'.repeat(32), cards } }),
  )
  await openProof(scene)
  await enterPassword(scene.page, 'a password')
  await expect(scene.page.getByRole('dialog')).toHaveCount(0)
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
    async open(scene) {
      await open(scene)
    },
  },
  { name: 'saved-card-password', open: openProof },
  {
    name: 'saved-card-wrong-password',
    async open(scene) {
      await openProof(scene)
      await enterPassword(scene.page, 'not the password')
      await expect(scene.page.getByText('The password is wrong.')).toBeVisible()
    },
  },
  { name: 'saved-card-choose', open: (scene) => openSavedCards(scene, CARDS) },
  { name: 'saved-card-none', open: (scene) => openSavedCards(scene, []) },
  { name: 'card', open: openCard },
  {
    name: 'card-long-name',
    async open(scene) {
      const user = await open(scene)
      // The longest names; the second one tries to reverse the direction of the text after it.
      await scene.tools.admin.query(
        'update directory.people set first_name = $2, last_name = $3 where service_user_id = $1',
        [user.id, 'W'.repeat(80), `\u202e${'Bartholomew '.repeat(6)}`],
      )
      await continueToCard(scene.page)
    },
  },
  {
    name: 'declined',
    open: (scene) => payWith(scene, '4000000000000002', /declined/i),
  },
  {
    name: 'success',
    open: (scene) => payWith(scene, '4242424242424242', /\$25\.00 added/),
  },
  {
    name: 'paid-without-session',
    async open(scene) {
      await openCard(scene)
      await scene.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      await payByCard(scene.page, '4242424242424242')
      await expect(scene.page.getByText(/Paid/).first()).toBeVisible({ timeout: 20_000 })
    },
  },
  {
    name: 'action',
    async open(scene) {
      await openCard(scene)
      await payByCard(scene.page, '4000002500003155')
      await expect(scene.page.locator('iframe[title="3-D Secure"]')).toBeVisible()
      await scene.page.reload()
      await expect(scene.page.getByRole('heading', { name: /bank/ })).toBeVisible()
    },
  },
  { name: 'link-open', open: (scene) => openLink(scene, '', /not complete/) },
  {
    name: 'link-open-with-session',
    async open(scene) {
      const user = await makeLinkedUser(scene.tools, scene.shop.app)
      const session = await openSession(scene.shop.app, user)
      await openLink(scene, '', /not complete/, `&session=${session}`)
    },
  },
  { name: 'link-failed', open: (scene) => openLink(scene, '4000000000000002', /failed/) },
  { name: 'link-paid', open: (scene) => openLink(scene, '4242424242424242', /paid/) },
  {
    name: 'link-processing',
    async open(scene) {
      await drive('faults', { processing: true })
      try {
        await openLink(scene, '4242424242424242', /processing/)
      } finally {
        await drive('faults', { processing: false })
      }
    },
  },
  {
    name: 'expired',
    async open(scene) {
      await open(scene)
      await scene.page.getByText('$25', { exact: true }).first().click()
      await scene.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      const next = scene.page.getByRole('button', { name: 'Continue' })
      // The page may notice by itself before the button is pressed.
      await next.click({ timeout: 2_000 }).catch(() => undefined)
      await expect(scene.page.getByText(/session has ended/i).first()).toBeVisible()
    },
  },
  {
    name: 'frozen',
    async open(scene) {
      await open(scene)
      await refuseIntent(scene.page, 403, 'WALLET_INACTIVE')
      await chooseAmount(scene.page, '$25')
      await expect(scene.page.getByText(/frozen/i).first()).toBeVisible()
    },
  },
  {
    name: 'too-many',
    async open(scene) {
      await open(scene)
      await refuseIntent(scene.page, 429, 'RATE_LIMITED')
      await chooseAmount(scene.page, '$25')
      await expect(scene.page.getByText(/Too many|Try again in/i).first()).toBeVisible()
    },
  },
  {
    name: 'day-limit',
    async open(scene) {
      await open(scene)
      await refuseIntent(scene.page, 429, 'TOPUP_LIMIT_EXCEEDED', '30000')
      await chooseAmount(scene.page, '$25')
      await expect(scene.page.getByText(/in 24 hours/).first()).toBeVisible()
    },
  },
  {
    name: 'processor-down',
    async open(scene) {
      await open(scene)
      await refuseIntent(scene.page, 502, 'PAYMENT_PROVIDER_ERROR', '5')
      await chooseAmount(scene.page, '$25')
      await expect(scene.page.getByText(/charged/i).first()).toBeVisible()
    },
  },
]
