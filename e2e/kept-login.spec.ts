import { expect } from '@playwright/test'
import { enroll, giveCredentials, makeOperator } from './operator.ts'
import { makeOwner } from './owner.ts'
import { SERVICE, test } from './setup.ts'

/** As for a browser that keeps no cookie: WebKit over HTTP, or a person who has turned cookies off. */
const LOGGED_OUT = { status: 401, json: { error: 'Log in.', code: 'LOGIN_REQUIRED' } }
const NOT_KEPT = 'Your browser did not keep the login.'

test('the pages say if the browser did not keep the login', async ({ window, tools }) => {
  await window.route('**/api/account', (route) => route.fulfill(LOGGED_OUT))
  await window.route('**/api/admin/sign-in/operator', (route) => route.fulfill(LOGGED_OUT))
  const { email, password } = await makeOwner(tools)
  await window.goto(`${SERVICE()}/account`)
  await window.getByLabel('Email').fill(email)
  await window.getByLabel('Password', { exact: true }).fill(password)
  await expect(window.getByText(NOT_KEPT)).toBeHidden()
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(window.getByText(NOT_KEPT)).toBeVisible()
  await expect(window.getByLabel('Email')).toHaveValue(email)

  await giveCredentials(window, await makeOperator(tools, 'viewer'))
  await enroll(window)
  await expect(window.getByText(NOT_KEPT)).toBeHidden()
  await window.getByLabel('I have saved the codes').check()
  await window.getByRole('button', { name: 'Continue' }).click()
  await expect(window.getByText(NOT_KEPT)).toBeVisible()
  await expect(window.getByRole('heading', { name: 'Log in' })).toBeVisible()
})

test('the account fits into the window in test mode, and dates into a phone', async ({
  window,
  tools,
}) => {
  const { email, password } = await makeOwner(tools)
  await window.setViewportSize({ width: 1280, height: 900 })
  await window.goto(`${SERVICE()}/account`)
  await window.getByLabel('Email').fill(email)
  await window.getByLabel('Password', { exact: true }).fill(password)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(window.getByRole('button', { name: 'Log out' })).toBeInViewport({ ratio: 1 })
  expect(await window.evaluate(() => document.documentElement.scrollHeight)).toBe(900)

  await window.setViewportSize({ width: 360, height: 900 })
  await window.getByRole('link', { name: 'History', exact: true }).click()
  await window.getByRole('button', { name: /^Filter/ }).click()
  const from = await window.getByLabel('From').boundingBox()
  const to = await window.getByLabel('To', { exact: true }).boundingBox()
  expect(from?.x).toBe(to?.x)
  expect(from?.width).toBeGreaterThan(200)
})
