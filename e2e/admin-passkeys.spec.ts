import { expect, type Page } from '@playwright/test'
import { makeClientApp } from '../server/test/factories.ts'
import { makeOperator } from './operator.ts'
import {
  addLogIns,
  addPasskey,
  addAuthenticator,
  enterAdminAtLocalhost,
  localhostUrl,
  expireConfirmation,
} from './passkeys.ts'
import { test } from './setup.ts'

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page.getByText('You are logged out.')).toBeVisible()
}

const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

test('a passkey is added, is enough to log in, confirms dangerous actions, and is removed', async ({
  window,
  tools,
}) => {
  const errors: string[] = []
  window.on('pageerror', (error) => errors.push(String(error)))
  const key = await addAuthenticator(window)
  const operator = await makeOperator(tools, 'owner')
  await enterAdminAtLocalhost(window, operator)
  await expect(window.getByText('No passkeys yet')).toBeVisible()
  await addPasskey(window, 'Work laptop')
  expect(await key.count()).toBe(1)
  await logOut(window)

  await window.goto(localhostUrl('/operators'))
  await logInButton(window).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Operators' })).toBeVisible()
  await window.getByRole('link', { name: /^Your sign-in/ }).click()
  const row = window.getByRole('row', { name: /Work laptop/ })
  await expect(row.getByText(/UTC$/)).toHaveCount(2)

  const { clientId } = await makeClientApp(tools, { name: 'Tea House' })
  await expireConfirmation(tools, operator.email)
  await window.goto(localhostUrl(`/client-apps/${clientId}`))
  await window.getByRole('button', { name: 'Deactivate' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  const confirmation = window.getByRole('dialog', { name: 'Confirm your identity' })
  await confirmation.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(window.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()

  await window.goto(localhostUrl('/sign-in'))
  await window.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(window.getByText('Passkey removed: Work laptop.')).toBeVisible()
  await logOut(window)
  await logInButton(window).click()
  await expect(window.getByText('This passkey was not accepted')).toBeVisible()
  expect(errors).toEqual([])
})

test('a key without unlocking is not a passkey, and an existing one is not created again', async ({
  window,
  tools,
}) => {
  const key = await addAuthenticator(window)
  const operator = await makeOperator(tools, 'viewer')
  await enterAdminAtLocalhost(window, operator)
  await addPasskey(window, 'Telephone')
  await window.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = window.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Telephone again')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('One of your passkeys is already saved there.')).toBeVisible()
  expect(await key.count()).toBe(1)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await logOut(window)
  await key.setVerified(false)
  await logInButton(window).click()
  await expect(window.getByText('No passkey was used')).toBeVisible()
  await expect(window.getByLabel('Email')).toBeVisible()
  await key.setVerified(true)
  await logInButton(window).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Your sign-in' })).toBeVisible()
})

test('the initial password should be changed, and an operator with a passkey may still use password and code', async ({
  window,
  tools,
}) => {
  await addAuthenticator(window)
  const operator = await makeOperator(tools, 'operator', true)
  const totp = await enterAdminAtLocalhost(window, operator, '/client-apps')
  await window.getByRole('link', { name: 'Choose your own' }).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Your sign-in' })).toBeVisible()
  await addPasskey(window, 'Telephone')
  await expireConfirmation(tools, operator.email)
  const field = window.getByLabel('New password')
  await field.fill('short')
  await window.getByRole('button', { name: 'Change password' }).click()
  await expect(window.getByText('Use at least 12 characters.')).toBeVisible()
  await field.fill('seven quiet lighthouses')
  await window.getByRole('button', { name: 'Change password' }).click()
  const confirmation = window.getByRole('dialog', { name: 'Confirm your identity' })
  await confirmation.getByRole('button', { name: 'Use password and code' }).click()
  await confirmation.getByLabel('Password', { exact: true }).fill(operator.password)
  // The code of this half minute was already used for the login.
  const code = totp.generate({ timestamp: Date.now() + 30_000 })
  await confirmation.getByRole('textbox', { name: 'Code' }).fill(code)
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  await expect(window.getByText('Your password was changed')).toBeVisible()
  await window.goto(localhostUrl('/client-apps'))
  await expect(window.getByRole('heading', { level: 1, name: 'Client apps' })).toBeVisible()
  await expect(window.getByText('You are using your initial password')).toHaveCount(0)
})

test('recovery codes are renewed, and other logins are ended', async ({ window, tools }) => {
  const operator = await makeOperator(tools, 'viewer')
  await enterAdminAtLocalhost(window, operator)
  await expect(window.getByText('10 of 10 left.')).toBeVisible()
  await window.getByRole('button', { name: 'Renew recovery codes' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Renew' }).click()
  const shown = window.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(shown.locator('code')).toHaveCount(10)
  await shown.getByRole('button', { name: 'I have saved the codes' }).click()

  await addLogIns(tools, operator.email, 3)
  await window.reload()
  await window.getByRole('button', { name: 'Log out Firefox on Linux, 203.0.113.2' }).click()
  await expect(window.getByText('Firefox on Linux is logged out.')).toBeVisible()
  await expect(window.getByText('203.0.113.2', { exact: true })).toHaveCount(0)
  await window.getByRole('button', { name: 'Log out all other devices' }).click()
  await expect(window.getByText('You are logged out on all other devices.')).toBeVisible()
  await expect(window.getByText('Firefox on Linux', { exact: true })).toHaveCount(0)
  await expect(window.getByText('This device', { exact: true })).toBeVisible()
})
