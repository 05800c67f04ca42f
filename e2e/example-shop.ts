/** The example shop with a client app of its own, for its tests. */
import { expect, type Page } from '@playwright/test'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp } from '../server/test/factories.ts'
import { SERVICE, test as base } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

export const test = base.extend<{ shop: RunningShop }>({
  shop: async ({ tools }, use) => {
    // Its origin must be registered before the shop gets its credentials.
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const origin = `http://localhost:${port}`
    const origins = { allowedIframeParents: [origin], allowedOrigins: [origin] }
    const app = await makeClientApp(tools, { name: 'Bean & Leaf', ...origins })
    const { clientId, clientSecret } = app
    const coffer = { serviceUrl: SERVICE(), clientId, clientSecret }
    const shop = await startShop({ coffer, file: ':memory:', port })
    await use(shop)
    await shop.close()
    await activateClientApp(tools.db, clientId, false)
  },
})

export async function enter(page: Page, shop: RunningShop, name: string) {
  await page.goto(shop.url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill('coffee')
  const isNew = shop.store.findUser(name, 'coffee') === undefined
  await page.getByRole('button', { name: isNew ? 'Sign up' : 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Your wallet' })).toBeVisible()
}

export async function topUp(page: Page, amount: string) {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Top up', exact: true }).click()
  const till = await opened
  await chooseAmount(till, amount)
  await payByCard(till, '4242424242424242')
  await expect(till.getByText(/added/).first()).toBeVisible({ timeout: 20_000 })
  await till.close()
}

/** While a session is renewed, a second frame waits behind the visible one. */
export const widgetIn = (page: Page) => page.frameLocator('iframe:visible')

export const balanceIn = (page: Page, balance: string) =>
  expect(widgetIn(page).getByText(balance, { exact: true }).first()).toBeVisible({
    timeout: 20_000,
  })
