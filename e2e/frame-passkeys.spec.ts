/** Passkeys of /account in the widget, inside a page of another site. */
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { addOwnPasskey, enterProfileAtLocalhost, makeOwner } from './owner.ts'
import { addAuthenticator, localhostUrl } from './passkeys.ts'
import { agree, logIn, seesWallet } from './sign-in.ts'
import { test, widgetIn } from './setup.ts'

/** The service where passkeys work, and a shop on another site. */
const atHome = (allow?: string) => ({
  serviceUrl: new URL(localhostUrl()).origin,
  host: '127.0.0.1',
  ...(allow !== undefined && { allow }),
})
const ALLOWED = 'payment *; publickey-credentials-get'

const logInButton = (page: Page) =>
  widgetIn(page).getByRole('button', { name: 'Log in with a passkey' })

test('a passkey of /account logs in to the widget where the page allows it', async ({
  window: page,
  makeShop,
  tools,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  const shop = await makeShop({}, atHome(ALLOWED))
  await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await enterProfileAtLocalhost(page, owner)
  await addOwnPasskey(page, owner, 'My phone')
  await page.goto(shop.origin)
  await expect(logInButton(page)).toBeVisible()
  await expectAccessible(page, { isFrame: true })
  await logInButton(page).focus()
  await page.keyboard.press('Enter')
  await agree(widgetIn(page))
  await seesWallet(widgetIn(page), owner)
  expect(errors).toEqual([])
})

test('a passkey that does not exist here leaves the password form and an explanation', async ({
  window: page,
  makeShop,
  tools,
}) => {
  const shop = await makeShop({}, atHome(ALLOWED))
  await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await page.goto(shop.origin)
  await logInButton(page).click()
  await expect(widgetIn(page).getByText('No passkey was used')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 900 })
  await expectAccessible(page, { isFrame: true })
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  expect(await page.frames()[1]?.evaluate(fits)).toBe(true)
  await logIn(widgetIn(page), owner)
  await agree(widgetIn(page))
  await seesWallet(widgetIn(page), owner)
})

test('without the permission there is the password form and no error', async ({
  window: page,
  makeShop,
  tools,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const shop = await makeShop({}, atHome())
  await addAuthenticator(page)
  const owner = await makeOwner(tools)
  const loaded = page.waitForResponse(/\/assets\/passkey-/)
  await page.goto(shop.origin)
  await loaded
  await expect(widgetIn(page).getByLabel('Email')).toBeVisible()
  await expect(logInButton(page)).toHaveCount(0)
  await logIn(widgetIn(page), owner)
  await agree(widgetIn(page))
  await seesWallet(widgetIn(page), owner)
  expect(errors).toEqual([])
})

test('on a host that does not belong to the domain of the passkeys, the widget does not offer them', async ({
  window: page,
  makeShop,
}) => {
  const shop = await makeShop({}, { allow: ALLOWED })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(shop.origin)
  await expect(widgetIn(page).getByLabel('Email')).toBeVisible()
  await expect(logInButton(page)).toHaveCount(0)
  expect(requests.filter((url) => url.includes('/assets/passkey'))).toEqual([])
})
