/** A person with an account, on the first-party page. */
import { expect, type Page } from '@playwright/test'
import { createServiceUser } from '../server/identity/create-service-user.ts'
import { createPasswords } from '../server/identity/hash-password.ts'
import { BONUS_ACCOUNT } from '../server/ledger/types.ts'
import { localhostUrl } from './passkeys.ts'
import { newPerson, SERVICE, type NewPerson, type Tools } from './setup.ts'

export interface Owner extends NewPerson {
  id: bigint
  walletId: bigint
}

export async function makeOwner(tools: Tools, isVerified = true): Promise<Owner> {
  const person = newPerson()
  const passwords = await createPasswords(1_000)
  const passwordHash = await passwords.hash(person.password)
  const user = await createServiceUser(tools, { ...person, passwordHash, isVerified })
  return { ...person, ...user }
}

/** Creates this many entries of one cent each. */
export async function pay(
  { ledger }: Tools,
  { id, walletId }: Owner,
  count: number,
  account?: number,
) {
  for (let n = 0; n < count; n++) {
    await ledger.post({
      kind: account === undefined ? 'bonus' : 'debit',
      referenceType: 'ORDER_PAYMENT',
      referenceId: `order-${n}-${id}`,
      walletId,
      amountMinor: 1n,
      counterAccount: account ?? BONUS_ACCOUNT,
      description: account === undefined ? null : `<b>Tea</b> ${n}`,
    })
  }
}

export async function enter(
  page: Page,
  { email, password, firstName }: NewPerson,
  section = '',
): Promise<void> {
  await page.goto(`${SERVICE()}/account${section}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  if (section === '') {
    await expect(page.getByRole('heading', { name: `Hello, ${firstName}` })).toBeFocused()
  }
}

/** Logs in at the address where passkeys work, with the settings open. */
export async function enterProfileAtLocalhost(
  page: Page,
  { email, password }: NewPerson,
): Promise<void> {
  await page.goto(localhostUrl('#profile', '/account'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
}

/** On the settings. */
export async function addOwnPasskey(page: Page, { password }: NewPerson, name: string) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(`Passkey added: ${name}.`)).toBeFocused()
}
