import { expect } from '@playwright/test'
import { startSandbox, type RunningSandbox } from '../sandbox/start-sandbox.ts'
import { stripeEnv } from '../sandbox/stripe-env.ts'
import { link as linkApp } from '../server/identity/link.ts'
import { makeClientApp } from '../server/test/factories.ts'
import { startMailServer, type MailServer } from '../server/test/mail-server.ts'
import type { ServiceProcess } from '../server/test/harness.ts'
import { expectAccessible } from './expect-accessible.ts'
import { makeOwner } from './owner.ts'
import { logIn, seesWallet, signUp } from './sign-in.ts'
import { newPerson, test, widgetIn } from './setup.ts'
import { startService } from './start-service.ts'

let mail: MailServer
let service: ServiceProcess
/** The same with a card processor. */
let withCards: ServiceProcess
let sandbox: RunningSandbox

test.beforeAll(async () => {
  mail = await startMailServer()
  service = await startService(mail.env)
  sandbox = await startSandbox()
  withCards = await startService({ ...mail.env, ...stripeEnv(sandbox) })
})
test.afterAll(async () => {
  await service.kill('SIGINT')
  await withCards.kill('SIGINT')
  await sandbox.close()
  await mail.stop()
})

test('signing up requires the code sent by email', async ({ window, makeShop }) => {
  const shop = await makeShop({}, { serviceUrl: service.url })
  const person = newPerson()
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await signUp(widget, person)
  await expect(widget.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(widget.getByText(person.email)).toBeVisible()
  const code = await mail.readCode(person.email)
  await widget.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
  await widget.getByRole('button', { name: 'Confirm' }).click()
  await expect(widget.getByText('This code is wrong or has expired.')).toBeVisible()
  expect(shop.serviceUserId).toBeUndefined()
  await widget.getByLabel('Code').fill(code)
  await widget.getByRole('button', { name: 'Confirm' }).click()
  await seesWallet(widget, person)
})

test('logging in with an address that was never verified requires a code, and another one can be sent', async ({
  window,
  makeShop,
  tools,
}) => {
  const shop = await makeShop({}, { serviceUrl: service.url })
  const person = await makeOwner(tools, false)
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await logIn(widget, person)
  await expect(widget.getByText(person.email)).toBeVisible()
  const first = await mail.readCode(person.email)
  await widget.getByRole('button', { name: 'Send a new code' }).click()
  await expect(widget.getByText('We sent a new code.')).toBeVisible()
  await widget.getByLabel('Code').fill(first)
  await widget.getByRole('button', { name: 'Confirm' }).click()
  await expect(widget.getByText('This code is wrong or has expired.')).toBeVisible()
  await widget.getByLabel('Code').fill(await mail.readCode(person.email))
  await widget.getByRole('button', { name: 'Confirm' }).click()
  await widget.getByRole('button', { name: 'Agree' }).click()
  await seesWallet(widget, person)
})

test('a forgotten password is reset with a link, and the old one no longer works', async ({
  window,
  makeShop,
}) => {
  const shop = await makeShop({}, { serviceUrl: service.url })
  const person = newPerson()
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await signUp(widget, person)
  await widget.getByLabel('Code').fill(await mail.readCode(person.email))
  await widget.getByRole('button', { name: 'Confirm' }).click()
  await seesWallet(widget, person)
  await widget.getByRole('button', { name: 'Not you? Switch account' }).click()
  await widget.getByRole('button', { name: 'Switch account', exact: true }).click()
  await widget.getByRole('button', { name: 'Forgot password?' }).click()
  await widget.getByLabel('Email').fill(person.email)
  await widget.getByRole('button', { name: 'Send link' }).click()
  await expect(widget.getByText('we sent you a link')).toBeVisible()
  const link = `${service.url}/account#reset?ticket=${await mail.readTicket(person.email)}`
  const password = 'another sentence about milk'
  await window.goto(link)
  await window.getByLabel('New password').fill(password)
  await window.getByRole('button', { name: 'Save and log in' }).click()
  await expect(window.getByRole('heading', { name: 'Connected apps' })).toBeVisible()
  expect(window.url()).not.toContain('ticket')
  await window.goto('about:blank')
  await window.goto(link)
  await window.getByLabel('New password').fill(password)
  await window.getByRole('button', { name: 'Save and log in' }).click()
  await expect(window.getByText('This link has expired or was already used.')).toBeVisible()
  await window.getByRole('button', { name: 'Request a new link' }).click()
  await expect(window.getByRole('button', { name: 'Send link' })).toBeVisible()
  await window.goto(shop.origin)
  await logIn(widget, person)
  await expect(widget.getByText('The email or password is wrong.')).toBeVisible()
  await logIn(widget, { ...person, password })
  await widget.getByRole('button', { name: 'Agree' }).click()
  await seesWallet(widget, person)
})

test('"This wasn\'t me" in an email asks first, then ends every login and disconnects all apps', async ({
  window,
  tools,
  browser,
}) => {
  const person = await makeOwner(tools)
  const app = await makeClientApp(tools, { name: 'Corner Shop' })
  await linkApp(tools.db, app.id, person.id)
  await window.goto(`${service.url}/account`)
  await window.getByLabel('Email').fill(person.email)
  await window.getByLabel('Password', { exact: true }).fill(person.password)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(window.getByText('1 app can charge your wallet.')).toBeVisible()

  const other = await browser.newContext()
  const owner = await other.newPage()
  const ticket = await mail.readWarningTicket(person.email)
  await owner.goto(`${service.url}/account#warning?ticket=${ticket}`)
  await expect(owner.getByRole('heading', { name: "This wasn't you?" })).toBeFocused()
  expect(owner.url()).not.toContain('ticket')
  await expectAccessible(owner)
  await window.reload()
  await expect(window.getByText('1 app can charge your wallet.')).toBeVisible()
  await owner.getByRole('button', { name: 'Secure my account' }).click()
  await expect(owner.getByRole('heading', { name: 'Your account is secured' })).toBeFocused()
  await expectAccessible(owner)
  await window.reload()
  await expect(window.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()

  await owner.getByRole('button', { name: 'Set a new password' }).click()
  await owner.getByLabel('Email').fill(person.email)
  await owner.getByRole('button', { name: 'Send link' }).click()
  const reset = await mail.readTicket(person.email)
  // Another address after the # alone does not load the page again.
  await owner.goto('about:blank')
  await owner.goto(`${service.url}/account#reset?ticket=${reset}`)
  await owner.getByLabel('New password').fill('another sentence about milk')
  await owner.getByRole('button', { name: 'Save and log in' }).click()
  await expect(owner.getByText('No connected apps')).toBeVisible()

  await owner.goto('about:blank')
  await owner.goto(`${service.url}/account#warning?ticket=${ticket}`)
  await owner.getByRole('button', { name: 'Secure my account' }).click()
  await expect(owner.getByText('This link has expired or was already used.')).toBeVisible()
  await other.close()
})

test('receipts are switched off and on', async ({ window, tools }) => {
  const person = await makeOwner(tools)
  await window.goto(`${withCards.url}/account#profile`)
  await window.getByLabel('Email').fill(person.email)
  await window.getByLabel('Password', { exact: true }).fill(person.password)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  const receipts = window.getByLabel('Send me a receipt when money is added')
  await expect(receipts).toBeChecked()
  await receipts.click()
  await expect(window.getByText('Saved.')).toBeVisible()
  await expect(receipts).not.toBeChecked()
  await expectAccessible(window)
  await window.reload()
  await expect(receipts).not.toBeChecked()
  await window.route('**/api/account/receipts', (route) => route.abort())
  await receipts.click()
  await expect(window.getByText('No response.')).toBeVisible()
  await expect(receipts).not.toBeChecked()
})

test('emails about payments and a low balance are switched on and off', async ({
  window,
  tools,
}) => {
  const person = await makeOwner(tools)
  await window.goto(`${service.url}/account#profile`)
  await window.getByLabel('Email').fill(person.email)
  await window.getByLabel('Password', { exact: true }).fill(person.password)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  const payment = window.getByLabel('Email me about payments of at least (USD)')
  const balance = window.getByLabel('Email me when my balance falls below (USD)')
  const form = window.locator('form').filter({ has: payment })
  const save = form.getByRole('button', { name: 'Save' })
  await expect(payment).toHaveValue('')
  await payment.fill('0')
  await save.click()
  await expect(payment).toBeFocused()
  await expect(form.getByText('Enter an amount such as 20 or 19.99')).toBeVisible()
  await expectAccessible(window)
  await payment.fill('50.00')
  await balance.fill('7.5')
  await save.click()
  await expect(form.getByText('Saved.')).toBeVisible()
  await window.reload()
  await expect(payment).toHaveValue('50')
  await expect(balance).toHaveValue('7.5')
  await payment.fill('')
  await save.click()
  await expect(form.getByText('Saved.')).toBeVisible()
  await window.reload()
  await expect(payment).toHaveValue('')
  await expect(balance).toHaveValue('7.5')
  await expectAccessible(window)
})

test('the previous address undoes a change of the email address', async ({
  window,
  tools,
  browser,
}) => {
  const person = await makeOwner(tools)
  await window.goto(`${service.url}/account`)
  await window.getByLabel('Email').fill(person.email)
  await window.getByLabel('Password', { exact: true }).fill(person.password)
  await window.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(window.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await window.goto(`${service.url}/account#profile`)
  const email = `intruder-${person.email}`
  await window.getByLabel('New email').fill(email)
  await window.getByLabel('Current password').first().fill(person.password)
  await window.getByRole('button', { name: 'Change email' }).click()
  await window.getByLabel('Code').fill(await mail.readCode(email))
  await window.getByRole('button', { name: 'Confirm' }).click()
  await expect(window.getByText(`Your email is now ${email}.`)).toBeVisible()

  const ticket = await mail.readUndoTicket(person.email)
  const owner = await browser.newPage()
  await owner.goto(`${service.url}/account#undo?ticket=${ticket}`)
  await owner.getByLabel('New password').fill('another sentence about milk')
  await owner.getByRole('button', { name: 'Restore and log in' }).click()
  await expect(owner.getByRole('heading', { name: 'Connected apps' })).toBeVisible()
  expect(owner.url()).not.toContain('ticket')
  await owner.goto(`${service.url}/account#profile`)
  await expect(owner.getByText(person.email).first()).toBeVisible()
  await owner.close()
  await window.reload()
  await expect(window.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
})
