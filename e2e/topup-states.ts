/** Every state of the top-up page: for the accessibility tests and the pictures. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { SERVICE } from './setup.ts'
import { chooseAmount, payByCard } from './till.ts'
import type { Scene } from './widget-states.ts'

export interface TopupState {
  name: string
  open: (scene: Scene) => Promise<void>
}

const CREATE_INTENT = '**/api/widget/topup/create-intent?*'

async function open({ page, shop, tools }: Scene) {
  const user = await makeLinkedUser(tools, shop.app, 32_40n)
  shop.serviceUserId = user.serviceUserId
  const { session } = await (await fetch(`${shop.origin}/session`, { method: 'POST' })).json()
  await page.goto(`${SERVICE()}/widget/topup?session=${session}`)
  await expect(page.getByRole('heading', { name: 'Add money' })).toBeVisible()
  return user
}

async function openCard(scene: Scene) {
  await open(scene)
  await chooseAmount(scene.page, '$25')
  const form = scene.page.frameLocator('iframe[title]').first()
  await expect(form.getByLabel('Card number')).toBeVisible()
}

async function payWith(scene: Scene, card: string, seen: RegExp) {
  await openCard(scene)
  await payByCard(scene.page, card)
  await expect(scene.page.getByText(seen).first()).toBeVisible({ timeout: 20_000 })
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

export const TOPUP_STATES: readonly TopupState[] = [
  {
    name: 'amount',
    async open(scene) {
      await open(scene)
    },
  },
  { name: 'card', open: openCard },
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
      const user = await open(scene)
      await scene.tools.ledger.setWalletActive(user.walletId, false)
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
    name: 'processor-down',
    async open(scene) {
      await open(scene)
      await refuseIntent(scene.page, 502, 'PAYMENT_PROVIDER_ERROR', '5')
      await chooseAmount(scene.page, '$25')
      await expect(scene.page.getByText(/charged/i).first()).toBeVisible()
    },
  },
]
