import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { addOwnPasskey, enterProfileAtLocalhost, makeOwner } from './owner.ts'
import { addAuthenticator, localhostUrl } from './passkeys.ts'
import { test } from './setup.ts'

const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
  // A read that is still running can end after the login and change the notice on this page.
  await expect(page.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
}

test('a passkey is added and is enough to log in, by keyboard alone; then it is removed', async ({
  window: page,
  tools,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  const key = await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await enterProfileAtLocalhost(page, owner)
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await expectAccessible(page)

  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a name for this passkey.')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('My phone')
  await page.keyboard.press('Tab')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(owner.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passkey added: My phone.')).toBeFocused()
  expect(await key.count()).toBe(1)
  await expect(card(page, 'My phone').getByText('Not used yet')).toBeVisible()

  await logOut(page)
  await expectAccessible(page)
  await logInButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile & security' })).toBeVisible()
  await page.goto(localhostUrl('#profile', '/account'))
  await expect(card(page, 'My phone').getByText(/^Last used: /)).toBeVisible()

  await page.getByRole('button', { name: 'Rename the passkey My phone' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename the passkey My phone' })
  await expectAccessible(page)
  await renaming.getByLabel('Name').fill(' ')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(renaming.getByText('Enter a name for this passkey.')).toBeVisible()
  await renaming.getByLabel('Name').fill('Old phone')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Passkey renamed: Old phone.')).toBeFocused()
  await page.getByRole('button', { name: 'Rename the passkey Old phone' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('My phone')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect(page.getByText('Passkey renamed: My phone.')).toBeFocused()

  await page.getByRole('button', { name: 'Remove the passkey My phone' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove the passkey My phone?' })
  await removal.getByLabel('Password', { exact: true }).fill(owner.password)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Passkey removed: My phone.')).toBeFocused()
  await logOut(page)
  await logInButton(page).click()
  await expect(page.getByText('This passkey was not accepted')).toBeVisible()
  await expectAccessible(page)
  expect(errors).toEqual([])
})

test('whoever lost the passkey, or cannot unlock it, logs in with the password', async ({
  window: page,
  browserContext,
  tools,
}) => {
  const key = await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await enterProfileAtLocalhost(page, owner)
  await addOwnPasskey(page, owner, 'My phone')
  await logOut(page)
  await key.setVerified(false)
  await logInButton(page).click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await page.close()

  const other = await browserContext.newPage()
  await addAuthenticator(other)
  await other.goto(localhostUrl('', '/account'))
  await logInButton(other).click()
  await expect(other.getByText('No passkey was used')).toBeVisible()
  await enterProfileAtLocalhost(other, owner)
  await other.getByRole('button', { name: 'Remove the passkey My phone' }).click()
  const removal = other.getByRole('dialog')
  await removal.getByLabel('Password', { exact: true }).fill(owner.password)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(other.getByText('No passkeys yet')).toBeVisible()
})

test('a copy of a passkey is refused, and its owner sees a warning', async ({
  window: page,
  tools,
}) => {
  const key = await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await enterProfileAtLocalhost(page, owner)
  await addOwnPasskey(page, owner, 'My phone')
  for (let time = 0; time < 2; time++) {
    await logOut(page)
    await logInButton(page).click()
    await expect(page.getByRole('button', { name: 'Log out', exact: true }).first()).toBeVisible()
  }
  await logOut(page)
  await key.becomeCopy()
  await logInButton(page).click()
  await expect(page.getByText('This passkey was not accepted')).toBeVisible()
  await enterProfileAtLocalhost(page, owner)
  await expect(page.getByText('Somebody tried to use a copy of this passkey')).toBeVisible()
  await expectAccessible(page)
})

test('a passkey logs in its own owner, whoever typed an email before', async ({
  window: page,
  tools,
}) => {
  await addAuthenticator(page)
  const [owner, other] = [await makeOwner(tools), await makeOwner(tools)]
  await enterProfileAtLocalhost(page, owner)
  await addOwnPasskey(page, owner, 'My phone')
  await logOut(page)
  await page.getByLabel('Email').fill(other.email)
  await logInButton(page).click()
  await expect(page.getByText(`Your email is ${owner.email}.`)).toBeVisible()
})

test('where passkeys do not work, the page shows the password form only', async ({
  window: page,
  tools,
}) => {
  const owner = await makeOwner(tools)
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await page.goto(localhostUrl('#profile', '/account'))
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(logInButton(page)).toHaveCount(0)
  await enterProfileAtLocalhost(page, owner)
  await expect(page.getByText('This browser does not support passkeys.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
})
