/** Adding money at /account: the widget's top-up, with the person's own login. */
import { expect, type Page } from '@playwright/test'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner, type Owner } from './owner.ts'
import { SERVICE, test, type Tools } from './setup.ts'
import { test as onHosts } from './separate-hosts.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  secure: '4000002500003155',
}

async function openTopup(page: Page, tools: Tools): Promise<Owner> {
  const owner = await makeOwner(tools)
  await enter(page, owner)
  await page.getByRole('link', { name: 'Add money' }).click()
  await expect(page.getByRole('heading', { name: 'Add money' })).toBeVisible()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  return owner
}

async function answerChallenge(page: Page, button: RegExp) {
  const challenge = page.frameLocator('iframe[title="3-D Secure"]')
  await challenge.getByRole('button', { name: button }).click({ timeout: 20_000 })
}

const seesDone = (page: Page) =>
  expect(page.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })

async function seesBalance(page: Page, balance: string) {
  await page.getByRole('button', { name: 'Back to your account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await expect(page.getByText(balance, { exact: true }).first()).toBeVisible()
}

test('success: the account shows the money', async ({ window, tools }) => {
  await openTopup(window, tools)
  await expectAxeFindsNothing(window)
  await chooseAmount(window, '$25')
  await expect(window.getByRole('button', { name: /^Pay/ })).toBeVisible()
  await expectAxeFindsNothing(window)
  await payByCard(window, CARDS.good)
  await seesDone(window)
  await expectAxeFindsNothing(window)
  await seesBalance(window, '$25.00')
  await expect(window.getByText('Top-up').first()).toBeVisible()
})

test('declined, then another card', async ({ window, tools }) => {
  await openTopup(window, tools)
  await chooseAmount(window, '$25')
  await payByCard(window, CARDS.declined)
  await expect(window.getByText(/declined/i).first()).toBeVisible({ timeout: 20_000 })
  await expectAxeFindsNothing(window)
  await payByCard(window, CARDS.good)
  await seesDone(window)
})

test('3-D Secure: failed, then passed', async ({ window, tools }) => {
  await openTopup(window, tools)
  await chooseAmount(window, '$25')
  await payByCard(window, CARDS.secure)
  await answerChallenge(window, /Fail/)
  await expect(window.getByText(/confirm|authenticat/i).first()).toBeVisible({ timeout: 20_000 })
  await payByCard(window, CARDS.secure)
  await answerChallenge(window, /Complete/)
  await seesDone(window)
})

test('a reload during the payment continues it', async ({ window, tools }) => {
  await openTopup(window, tools)
  await chooseAmount(window, '$25')
  await payByCard(window, CARDS.secure)
  await expect(window.locator('iframe[title="3-D Secure"]')).toBeVisible({ timeout: 20_000 })
  await window.reload()
  await expect(window.getByText('Your bank needs a confirmation')).toBeVisible({ timeout: 20_000 })
  await expectAxeFindsNothing(window)
  await window.getByRole('button', { name: 'Continue' }).click()
  await answerChallenge(window, /Complete/)
  await seesDone(window)
})

test('the window is closed during the payment: the money arrives all the same', async ({
  window,
  browserContext,
  tools,
}) => {
  const owner = await openTopup(window, tools)
  await chooseAmount(window, '$25')
  // The page never learns the outcome.
  await window.route('**/api/account/topup/confirm', () => undefined)
  await payByCard(window, CARDS.good)
  await window.waitForRequest('**/api/account/topup/confirm')
  await window.close()
  await expect
    .poll(async () => (await tools.ledger.readWallet(owner.walletId))?.balance, { timeout: 30_000 })
    .toBe(25_00n)
  const next = await browserContext.newPage()
  await next.goto(`${SERVICE()}/account`)
  await expect(next.getByText('$25.00', { exact: true }).first()).toBeVisible()
})

test('logged out in between: nothing is charged, and the page leads to the login', async ({
  window,
  tools,
}) => {
  const owner = await openTopup(window, tools)
  await tools.admin.query('delete from directory.log_ins where service_user_id = $1', [owner.id])
  await chooseAmount(window, '$25')
  await expect(window.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await expectAxeFindsNothing(window)
  await window.getByRole('button', { name: 'Back to your account' }).click()
  await expect(window.getByRole('heading', { name: 'Log in to your account' })).toBeVisible()
})

test('a link with the payment of somebody else shows its state and cannot pay it', async ({
  window,
  tools,
}) => {
  await openTopup(window, tools)
  await chooseAmount(window, '$25')
  await expect(window.getByRole('button', { name: /^Pay/ })).toBeVisible()
  const secret = await window.evaluate(
    () => (history.state as { payment: { clientSecret: string } }).payment.clientSecret,
  )
  await window.context().clearCookies()
  await enter(window, await makeOwner(tools))
  await window.goto(`${SERVICE()}/account/topup?payment_intent_client_secret=${secret}`)
  await expect(window.getByRole('heading', { name: /not complete/ })).toBeVisible()
  expect(window.url()).not.toContain('secret')
  await expect(window.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
})

onHosts(
  'with a host of its own: the account host takes the payment',
  async ({ window, tools, hosts }) => {
    const owner = await makeOwner(tools)
    await window.goto(`${hosts.account}/account`)
    await window.getByLabel('Email').fill(owner.email)
    await window.getByLabel('Password', { exact: true }).fill(owner.password)
    await window.getByRole('button', { name: 'Log in', exact: true }).click()
    await window.getByRole('link', { name: 'Add money' }).click()
    await chooseAmount(window, '$25')
    await payByCard(window, CARDS.good)
    await seesDone(window)
    expect(window.url()).toBe(`${hosts.account}/account/topup`)
  },
)
