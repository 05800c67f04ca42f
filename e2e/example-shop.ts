/** The example shop with a client app of its own, and what its users do. */
import { expect, type Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp, type TestApp } from '../server/test/factories.ts'
import { SERVICE, test as base } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

export const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`

interface Fixtures {
  port: number
  app: TestApp
  shop: RunningShop
}

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern
  port: async ({}, use) => use(20_000 + Math.floor(Math.random() * 10_000)),
  // The shop's origin must be registered before it gets its credentials.
  app: async ({ tools, port }, use) => {
    const origin = `http://localhost:${port}`
    const origins = { allowedIframeParents: [origin], allowedOrigins: [origin] }
    const app = await makeClientApp(tools, { name: 'Bean & Leaf', ...origins })
    await use(app)
    await activateClientApp(tools.db, app.clientId, false)
  },
  shop: async ({ app, port }, use) => {
    const { clientId, clientSecret } = app
    const coffer = { serviceUrl: SERVICE(), clientId, clientSecret }
    const shop = await startShop({ coffer, webhookSecret: WEBHOOK_SECRET, file: ':memory:', port })
    await use(shop)
    await shop.close()
  },
})

export async function enterShop(page: Page, shop: RunningShop, name: string) {
  await page.goto(shop.url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill('coffee')
  const isNew = shop.store.findUser(name, 'coffee') === undefined
  await page.getByRole('button', { name: isNew ? 'Sign up' : 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Your wallet' })).toBeVisible()
}

export async function topUpInShop(page: Page, amount: string) {
  const opened = page.context().waitForEvent('page')
  await visibleWidgetIn(page).getByRole('button', { name: 'Add money' }).click()
  const topupWindow = await opened
  await chooseAmount(topupWindow, amount)
  await payByCard(topupWindow, '4242424242424242')
  await expect(topupWindow.getByText(/added/).first()).toBeVisible({ timeout: 20_000 })
  await topupWindow.close()
}

/** While a session is renewed, a second frame waits behind the visible one. */
export const visibleWidgetIn = (page: Page) => page.frameLocator('iframe:visible')

export const balanceIn = (page: Page, balance: string) =>
  expect(visibleWidgetIn(page).getByText(balance, { exact: true }).first()).toBeVisible({
    timeout: 20_000,
  })
