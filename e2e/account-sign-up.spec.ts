/** Signing up at /account, outside of any client app. */
import { expect, type Page } from '@playwright/test'
import type { ServiceProcess } from '../server/test/harness.ts'
import { startMailServer, type MailServer } from '../server/test/mail-server.ts'
import { expectAccessible } from './expect-accessible.ts'
import { makeOwner } from './owner.ts'
import { newPerson, SERVICE, test, type NewPerson } from './setup.ts'
import { signUp } from './sign-in.ts'
import { startService } from './start-service.ts'

async function seesAccount(page: Page, person: NewPerson) {
  await expect(page.getByRole('heading', { name: `Hello, ${person.firstName}` })).toBeVisible()
  // A narrow window does not show it.
  await expect(page.getByText(person.email)).toBeAttached()
  await expect(page.getByText('No app can charge your wallet.')).toBeVisible()
}

test('without a mail server: the account exists at once and has no app', async ({ window }) => {
  const person = newPerson()
  await window.goto(`${SERVICE()}/account`)
  await window.getByRole('button', { name: 'Create an account' }).click()
  await expect(window.getByRole('heading', { name: 'Create your wallet' })).toBeFocused()
  await expectAccessible(window)
  await window.getByRole('button', { name: 'Create account' }).click()
  await expect(window.getByText('Enter your first name.')).toBeVisible()
  await expect(window.getByLabel('First name')).toBeFocused()
  await expectAccessible(window)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  await signUp(window, person)
  await expect(window.getByRole('heading', { name: /^Hello/ })).toBeFocused()
  await seesAccount(window, person)
  await window.reload()
  await seesAccount(window, person)
})

test('without a mail server: an email that has an account', async ({ window, tools }) => {
  const owner = await makeOwner(tools)
  await window.goto(`${SERVICE()}/account`)
  await signUp(window, owner)
  await expect(window.getByText('An account with this email already exists.')).toBeVisible()
  await expect(window.getByLabel('Email')).toBeFocused()
  await window.getByRole('button', { name: 'Log in instead' }).click()
  await expect(window.getByRole('heading', { name: 'Log in to your account' })).toBeFocused()
  await expect(window.getByLabel('Email')).toHaveValue(owner.email)
})

test.describe('with a mail server', () => {
  let mail: MailServer
  let service: ServiceProcess
  test.beforeAll(async () => {
    mail = await startMailServer()
    service = await startService(mail.env)
  })
  test.afterAll(async () => {
    await service.kill('SIGINT')
    await mail.stop()
  })

  test('the code from the email creates the account', async ({ window }) => {
    const person = newPerson()
    await window.goto(`${service.url}/account`)
    await signUp(window, person)
    await expect(window.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    await expectAccessible(window)
    const first = await mail.readCode(person.email)
    await window.getByRole('button', { name: 'Send a new code' }).click()
    await expect(window.getByText('We sent a new code.')).toBeVisible()
    const code = await mail.readCode(person.email)
    if (first !== code) {
      await window.getByLabel('Code').fill(first)
      await window.getByRole('button', { name: 'Confirm' }).click()
      await expect(window.getByText('This code is wrong or has expired.')).toBeVisible()
    }
    await window.getByLabel('Code').fill(code)
    await window.getByRole('button', { name: 'Confirm' }).click()
    await seesAccount(window, person)
  })

  test('an email that has an account looks the same', async ({ window, tools }) => {
    const owner = await makeOwner(tools)
    await window.goto(`${service.url}/account`)
    await signUp(window, owner)
    await expect(window.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await mail.readSubject(owner.email, /^You already have a wallet account$/)
  })
})
