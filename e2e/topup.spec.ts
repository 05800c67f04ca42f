import { expect, type Page } from '@playwright/test'
import { makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import type { Shop } from './shop.ts'
import { SERVICE, test, typesOf, widgetIn, type Tools } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  secure: '4000002500003155',
}

type LinkedShop = Shop & { app: TestApp }

/** Checks every request to the service: none may contain a card number. */
function watchRequests(page: Page) {
  const leaks: string[] = []
  page.context().on('request', (request) => {
    if (!request.url().startsWith(SERVICE())) return
    const text = `${request.url()} ${request.postData() ?? ''}`
    if (Object.values(CARDS).some((number) => text.replaceAll(/[ %+-]/g, '').includes(number))) {
      leaks.push(request.url())
    }
  })
  return leaks
}

async function openWallet(page: Page, shop: LinkedShop, tools: Tools) {
  const user = await makeLinkedUser(tools, shop.app, 10_00n)
  shop.serviceUserId = user.serviceUserId
  await page.goto(shop.origin)
  await expect(widgetIn(page).getByText('$10.00', { exact: true }).first()).toBeVisible()
}

async function openTopupWindow(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await widgetIn(page).getByRole('button', { name: 'Add money' }).click()
  const topup = await opened
  await expect(topup.getByRole('heading', { name: 'Add money' })).toBeVisible()
  return topup
}

test.describe('topping up in a window', () => {
  test('success: the opener gets a message, and the wallet shows the money by itself', async ({
    window,
    makeShop,
    tools,
  }) => {
    const leaks = watchRequests(window)
    const shop = await makeShop()
    await openWallet(window, shop, tools)
    const topup = await openTopupWindow(window)
    const hint = widgetIn(window).getByText('opens the top-up in a new window')
    await expect(hint).toBeVisible()
    await chooseAmount(topup, '$25')
    await payByCard(topup, CARDS.good)
    await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
    await expect.poll(() => typesOf(window)).toContain('SERVICE_WALLET_UPDATED')
    await expect(widgetIn(window).getByText('$35.00', { exact: true }).first()).toBeVisible({
      timeout: 15_000,
    })
    await expect(hint).toHaveCount(0)
    expect(topup.url()).not.toContain('session=')
    expect(leaks).toEqual([])
  })

  test('declined, insufficient funds, then another card', async ({ window, makeShop, tools }) => {
    const shop = await makeShop()
    await openWallet(window, shop, tools)
    const topup = await openTopupWindow(window)
    await chooseAmount(topup, '$25')
    await payByCard(topup, CARDS.declined)
    await expect(topup.getByText(/declined/i).first()).toBeVisible({ timeout: 20_000 })
    await payByCard(topup, CARDS.poor)
    await expect(topup.getByText(/insufficient funds|not enough money/i).first()).toBeVisible({
      timeout: 20_000,
    })
    await payByCard(topup, CARDS.good)
    await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  })

  test('3-D Secure: failed, then passed', async ({ window, makeShop, tools }) => {
    const shop = await makeShop()
    await openWallet(window, shop, tools)
    const topup = await openTopupWindow(window)
    await chooseAmount(topup, '$25')
    await payByCard(topup, CARDS.secure)
    await answerChallenge(topup, /Fail/)
    await expect(topup.getByText(/confirm|authenticat/i).first()).toBeVisible({ timeout: 20_000 })
    await payByCard(topup, CARDS.secure)
    await answerChallenge(topup, /Complete/)
    await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  })

  test('the session ends during a payment: the page shows what the processor reports', async ({
    window,
    makeShop,
    tools,
  }) => {
    const shop = await makeShop()
    await openWallet(window, shop, tools)
    const topup = await openTopupWindow(window)
    await chooseAmount(topup, '$25')
    await expect(topup.getByRole('button', { name: /^Pay/ })).toBeVisible()
    await tools.admin.query('update directory.widget_sessions set expires_at = now()')
    await payByCard(topup, CARDS.good)
    await expect(topup.getByText(/Paid/)).toBeVisible({ timeout: 20_000 })
    await expect(topup.getByText(/fail/i)).toHaveCount(0)
    await expect
      .poll(async () => (await tools.admin.query(`select status from directory.topups`)).rows, {
        timeout: 30_000,
      })
      .toContainEqual({ status: 'credited' })
  })
})

test('topping up inside the frame', async ({ window, makeShop, tools }) => {
  const leaks = watchRequests(window)
  const shop = await makeShop()
  const user = await makeLinkedUser(tools, shop.app, 10_00n)
  shop.serviceUserId = user.serviceUserId
  const { session } = await (await fetch(`${shop.origin}/session`, { method: 'POST' })).json()
  const address = `${SERVICE()}/widget/topup?session=${session}`
  await window.goto(`${shop.origin}/?frame=${encodeURIComponent(address)}`)
  const topup = widgetIn(window)
  await chooseAmount(topup, '$50')
  await payByCard(topup, CARDS.good)
  await expect(topup.getByText(/\$50\.00 added/)).toBeVisible({ timeout: 20_000 })
  await expect.poll(() => typesOf(window)).toContain('SERVICE_WALLET_UPDATED')
  expect(leaks).toEqual([])
})

async function answerChallenge(page: Page, button: RegExp) {
  const challenge = page.frameLocator('iframe[title="3-D Secure"]')
  await challenge.getByRole('button', { name: button }).click({ timeout: 20_000 })
}
