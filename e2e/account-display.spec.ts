/** The language and the colors of the account pages. */
import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { expectAccessible, expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner } from './owner.ts'
import { SERVICE, test } from './setup.ts'

test('a person chooses the language of the pages', async ({ window: page, tools }) => {
  const person = await makeOwner(tools)
  await enter(page, person, '#profile')
  const firstName = page.getByLabel('First name')
  await firstName.fill('Typed')
  const english = page.getByLabel('Your language')
  await expect(english).toHaveValue('')
  await english.selectOption('Deutsch')
  await expect(page.getByRole('heading', { level: 1, name: 'Profil & Sicherheit' })).toBeVisible()
  await expect(page.getByText('Gespeichert.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page).toHaveTitle('Profil & Sicherheit · Ihre Geldbörse')
  await expect(page.getByLabel('Vorname')).toHaveValue('Typed')
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByLabel('Ihre Sprache')).toHaveValue('de')
  await page.goto(`${SERVICE()}/account/topup`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')

  await page.goto(`${SERVICE()}/account#profile`)
  await page.route('**/api/account/language', (route) => route.abort())
  await page.getByLabel('Ihre Sprache').selectOption('Español')
  await expect(page.getByText('Keine Antwort.')).toBeVisible()
  await expect(page.getByLabel('Ihre Sprache')).toHaveValue('de')
  await page.unroute('**/api/account/language')
  await page.getByLabel('Ihre Sprache').selectOption('Wie im Browser')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile & security' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
})

test('the pages are in the language of whoever logs in', async ({ window: page, tools }) => {
  const spanish = await makeOwner(tools)
  await tools.admin.query(
    `update directory.people set language = 'es' where service_user_id = $1`,
    [spanish.id],
  )
  await enter(page, spanish, '#profile')
  await expect(page.getByLabel('Tu idioma')).toHaveValue('es')
  await page.getByRole('button', { name: 'Cerrar sesión', exact: true }).first().click()
  await expect(page.getByText('Has cerrado la sesión.')).toBeVisible()
})

test('a person chooses the colors of the pages, in this browser', async ({
  window: page,
  tools,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await enter(page, await makeOwner(tools), '#profile')
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(16, 18, 23)']
  const has = (color: string) => expect(page.locator('html')).toHaveCSS('background-color', color)
  await has(light)
  await page.getByLabel('Colors').selectOption('Dark')
  await has(dark)
  await expectAxeFindsNothing(page)
  await page.reload()
  await has(dark)
  await expect(page.getByLabel('Colors')).toHaveValue('dark')
  await page.goto(`${SERVICE()}/account/topup`)
  await has(dark)
  await page.goto(`${SERVICE()}/account#profile`)
  await page.getByLabel('Colors').selectOption('Light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await has(light)
  await expectAxeFindsNothing(page)
  await page.getByLabel('Colors').selectOption('Same as system')
  await has(dark)
})

test('a person downloads their data', async ({ window: page, tools }) => {
  const person = await makeOwner(tools)
  await enter(page, person, '#profile')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as JSON' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^wallet-data-\d{4}-\d\d-\d\d\.json$/)
  const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    account: { email: string }
  }
  expect(data.account.email).toBe(person.email)
})
