import { expect, type Page } from '@playwright/test'
import { link } from '../server/identity/link.ts'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import { archiveHistory } from './account-states.ts'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner, pay } from './owner.ts'
import { SERVICE, test as base } from './setup.ts'

/** Fails if the page violates its own policy or throws. */
const test = base.extend<{ watched: Page }>({
  watched: async ({ window }, use) => {
    const errors: string[] = []
    window.on('pageerror', (error) => errors.push(String(error)))
    window.on('console', (message) => {
      if (/Content Security Policy|TrustedTypes|TrustedHTML/i.test(message.text())) {
        errors.push(message.text())
      }
    })
    await use(window)
    expect(errors).toEqual([])
  },
})

async function isAccessible(page: Page) {
  await expectAxeFindsNothing(page)
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  await expect.poll(() => page.evaluate(fits)).toBe(true)
}

test('the account: log in, look around, go back, log out', async ({ watched: page, tools }) => {
  const person = await makeOwner(tools)
  await page.goto(`${SERVICE()}/account`)
  await isAccessible(page)
  await enter(page, person)
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await isAccessible(page)
  const sections = { History: 'History', Apps: 'Connected apps', Profile: 'Profile & security' }
  for (const [short, name] of Object.entries(sections)) {
    await page.getByRole('link', { name: short, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
    await isAccessible(page)
  }
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Connected apps' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Connected apps' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByText('You are logged out.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
})

test('the history: search in the URL, details, more entries, a download', async ({
  watched: page,
  tools,
}) => {
  const person = await makeOwner(tools)
  const app = await makeClientApp(tools, { name: 'Tea <house>' })
  await pay(tools, person, 60)
  await pay(tools, person, 55, app.ledgerAccount)
  await enter(page, person, '#history')
  await expect(page.locator('summary[id]')).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.locator('summary[id]')).toHaveCount(100)
  await expect(page.locator('summary[id]').nth(50)).toBeFocused()

  await page.getByLabel('Search').fill('TEA</B> 54')
  await expect(page.locator('summary[id]')).toHaveCount(1)
  await expect(page).toHaveURL(/#history\?search=TEA/)
  await page.locator('summary[id]').click()
  await expect(page.getByText('Problem with this payment? Contact Tea <house>.')).toBeVisible()
  await expect(page.getByText(`order-54-${person.id}`)).toBeHidden()
  await page.getByText('Details for support').click()
  await expect(page.getByText(`order-54-${person.id}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy: Transaction ID' })).toBeVisible()
  await isAccessible(page)
  await page.reload()
  await expect(page.locator('summary[id]')).toHaveCount(1)
  await expect(page.getByLabel('Search')).toHaveValue('TEA</B> 54')

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Source').selectOption('bonus')
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByLabel('Search')).toHaveValue('')
  await page.getByLabel('Direction').selectOption('debit')
  await expect(page).toHaveURL(/#history\?type=debit$/)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^wallet-history-\d{4}-\d\d-\d\d\.csv$/)
})

test('a row of the overview opens, and a payment and its refund lead to each other', async ({
  watched: page,
  tools,
}) => {
  const app = await makeClientApp(tools, { name: 'Tea House' })
  const person = await makeOwner(tools)
  await giveBonus(tools.ledger, person.walletId, 20_00n)
  const serviceUserId = await link(tools.db, app.id, person.id)
  const { clientId, clientSecret } = app
  const call = async (path: string, fields: object) => {
    const response = await fetch(`${SERVICE()}/api/server/wallet/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret, ...fields }),
    })
    expect(response.status).toBe(200)
  }
  const order = { referenceType: 'ORDER', referenceId: 'order-78' }
  await call('debit', { serviceUserId, amount: 9, description: 'Two teas', ...order })
  const back = { referenceType: 'REFUND', referenceId: 'back-78', amount: 4 }
  await call('refund', { ...back, debit: order, description: 'One tea' })
  await enter(page, person)
  await page.locator('summary', { hasText: 'One tea' }).click()
  await page.getByRole('link', { name: 'Show the payment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeFocused()
  await expect(page.locator('summary[id]')).toHaveCount(2)
  await page.locator('summary', { hasText: 'Two teas' }).click()
  await expect(page.getByText('$4.00 Show')).toBeVisible()
  await isAccessible(page)
})

test('a link that resets a password and is not valid says so', async ({ watched: page }) => {
  await page.goto(`${SERVICE()}/account#reset?ticket=${'x'.repeat(32)}`)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  expect(page.url()).toBe(`${SERVICE()}/account`)
  await isAccessible(page)
  await page.getByLabel('New password').fill('a lantern in the harbour')
  await page.getByRole('button', { name: 'Save and log in' }).click()
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible()
  await isAccessible(page)
})

test('an app is disconnected after a confirmation', async ({ watched: page, tools }) => {
  const person = await makeOwner(tools)
  for (const name of ['Corner Shop', 'Tea House']) {
    await link(tools.db, (await makeClientApp(tools, { name })).id, person.id)
  }
  await enter(page, person, '#apps')
  const disconnect = page.getByRole('button', { name: 'Disconnect Tea House' })
  await disconnect.click()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(disconnect).toBeFocused()
  await disconnect.click()
  const dialog = page.getByRole('dialog', { name: 'Disconnect Tea House?' })
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Tea House is disconnected.')).toBeFocused()
  await expect(page.getByRole('button', { name: /^Disconnect/ })).toHaveCount(1)
})

test('all apps are disconnected in one step', async ({ watched: page, tools }) => {
  const person = await makeOwner(tools)
  for (const name of ['Corner Shop', 'Tea House', 'Book Store']) {
    await link(tools.db, (await makeClientApp(tools, { name })).id, person.id)
  }
  await enter(page, person, '#apps')
  await page.getByRole('button', { name: 'Disconnect all apps' }).click()
  await isAccessible(page)
  const dialog = page.getByRole('dialog', { name: 'Disconnect all apps?' })
  await dialog.getByRole('button', { name: 'Disconnect all apps' }).click()
  await expect(page.getByText('All apps are disconnected.')).toBeFocused()
  await expect(page.getByText('No connected apps')).toBeVisible()
})

test('the profile: name, email, password, devices', async ({ watched: page, tools, browser }) => {
  const person = await makeOwner(tools)
  const elsewhere = await browser.newPage()
  await enter(elsewhere, person)
  await enter(page, person, '#profile')
  await page.getByLabel('First name').fill('Grace')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await page.getByLabel('New email').fill(`new-${person.email}`)
  await page.getByLabel('Current password').first().fill('not mine')
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await page.getByLabel('Current password').first().fill(person.password)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText(`Your email is now new-${person.email}.`)).toBeFocused()

  await page.getByRole('button', { name: /^Log out .* on / }).click()
  await expect(page.getByText(/is logged out\.$/)).toBeFocused()
  await elsewhere.getByRole('link', { name: 'History' }).click()
  await expect(elsewhere.getByText('To protect your account, we logged you out.')).toBeVisible()

  await page.getByLabel('Current password').last().fill(person.password)
  await page.getByLabel('New password').fill('password1234')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This password is too easy to guess.')).toBeVisible()
  await isAccessible(page)
  await page.getByLabel('New password').fill('a lantern in the harbour')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password was changed.')).toBeFocused()
  await elsewhere.close()
})

test('the account is deleted after a confirmation and a password', async ({
  watched: page,
  tools,
}) => {
  const person = await makeOwner(tools)
  await enter(page, person, '#profile')
  await page.getByRole('button', { name: 'Delete account …' }).click()
  const dialog = page.getByRole('dialog')
  await isAccessible(page)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  const heading = page.getByRole('heading', { name: 'Your account was deleted' })
  await expect(heading).toBeVisible({ timeout: 15_000 })
  await isAccessible(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
})

test('the history with archived entries says whom to ask', async ({ watched: page, tools }) => {
  await archiveHistory(page)
  const person = await makeOwner(tools)
  await enter(page, person, '#history')
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'Transactions before Jan 1, 2026 are archived. Contact support' })
  await expect(notice).toBeVisible()
  await expect(page.getByText('No transactions yet')).toBeHidden()
  await pay(tools, person, 3)
  await page.reload()
  await expect(notice).toBeVisible()
  await isAccessible(page)
})
