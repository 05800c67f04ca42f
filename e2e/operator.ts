/** An operator who uses /admin. */
import { expect, type Page } from '@playwright/test'
import { TOTP, URI } from 'otpauth'
import type { Role } from '@coffer/contract/admin/endpoint'
import { finishAdminLogIn, logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { createPasswords } from '../server/identity/hash-password.ts'
import { createOperator } from '../server/admin/operators/create-operator.ts'
import { newPerson, SERVICE, type Tools } from './setup.ts'

export interface NewOperator {
  email: string
  password: string
}

/** An operator who has already chosen a password, unless the test is about the initial password. */
export async function makeOperator(
  { db, admin }: Tools,
  role: Role,
  hasInitialPassword = false,
): Promise<NewOperator> {
  const { email } = newPerson()
  const passwords = await createPasswords(1_000)
  const by = { actor: 'test', actorId: null, address: null }
  const { id, password } = await createOperator({ db, passwords }, by, {
    email,
    name: 'Ada Owner',
    role,
  })
  if (!hasInitialPassword) {
    await admin.query('update admin.operators set password_changed_at = now() where id = $1', [id])
  }
  return { email, password }
}

export async function giveCredentials(page: Page, { email, password }: NewOperator, path = '') {
  await page.goto(`${SERVICE()}/admin${path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Reads the secret from the page, as a person without a camera does. */
export async function enroll(page: Page): Promise<TOTP> {
  await expect(page.getByRole('heading', { name: 'Set up your authenticator' })).toBeVisible()
  const shown = await page.locator('code').first().innerText()
  const secret = shown.replaceAll(/\s/g, '')
  const totp = URI.parse(`otpauth://totp/Coffer:x?secret=${secret}&issuer=Coffer`)
  if (!(totp instanceof TOTP)) throw new Error('The secret is none.')
  await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate())
  await page.getByRole('button', { name: 'Set up and log in' }).click()
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  return totp
}

/** Logs in without the pages of the login, which have tests of their own, and opens the path. */
export async function enterAdmin(page: Page, tools: Tools, role: Role, path = '') {
  const credentials = await makeOperator(tools, role)
  const { ticket, totpUri } = await postAs(page, logInToAdmin, credentials)
  const totp = URI.parse(String(totpUri))
  if (!(totp instanceof TOTP)) throw new Error('The URI is not one of an authenticator.')
  await postAs(page, finishAdminLogIn, { ticket, code: totp.generate() })
  await page.goto(`${SERVICE()}/admin${path}`)
}

/** The browser keeps the cookies of the response. */
async function postAs(page: Page, { path }: Endpoint, data: object) {
  const headers = { origin: SERVICE(), 'sec-fetch-site': 'same-origin' }
  const response = await page.request.post(`${SERVICE()}${path}`, { data, headers })
  const body: Record<string, unknown> = await response.json()
  if (!response.ok())
    throw new Error(`${path} returned ${response.status()}: ${JSON.stringify(body)}`)
  return body
}
