/** A link to the top-up page with another person's payment must not make the visitor pay for it. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { callSandbox } from './payer.ts'
import { test, type Tools } from './setup.ts'
import { chooseAmount, openTopupLink, payByCard } from './topup-page.ts'
import { makeTopupLink, openSession, ownerOf } from './topup-link.ts'
import type { StateSetup } from './widget-states.ts'

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  secure: '4000002500003155',
}

async function expectNoWayToPay(page: Page) {
  await expect(page.getByRole('button', { name: /^(Pay|Continue|Use another)/ })).toHaveCount(0)
  const cardNumber = page.frameLocator('iframe[title]').first().getByLabel('Card number')
  await expect(cardNumber).toHaveCount(0)
}

async function balanceOf({ ledger }: Tools, walletId: bigint) {
  return (await ledger.readWallet(walletId))?.balance
}

const STATES: readonly {
  name: string
  card?: string
  isSlow?: boolean
  seen: RegExp
}[] = [
  { name: 'nothing is paid', seen: /not complete/ },
  { name: 'the bank waits for 3-D Secure', card: CARDS.secure, seen: /not complete/ },
  { name: 'the bank declined', card: CARDS.declined, seen: /failed/ },
  { name: 'the bank is processing it', card: CARDS.good, isSlow: true, seen: /processing/ },
  { name: 'it is paid', card: CARDS.good, seen: /\$250\.00 paid/ },
]

test.describe('a link with a payment and without a session shows its result only', () => {
  for (const { name, card, isSlow = false, seen } of STATES) {
    test(name, async ({ window, makeShop, tools }) => {
      const shop = await makeShop()
      const attacker = await makeLinkedUser(tools, shop.app)
      const { link, paymentIntentId } = await makeTopupLink(shop.app, attacker, 250)
      await callSandbox('faults', { processing: isSlow })
      if (card) await callSandbox(`payment_intents/${paymentIntentId}/complete`, { card })
      await callSandbox('faults', { processing: false })
      await window.goto(link)
      await expect(window.getByRole('heading', { name: seen })).toBeVisible()
      await expectNoWayToPay(window)
      await window.reload()
      await expect(window.getByRole('heading', { name: seen })).toBeVisible()
      await expectNoWayToPay(window)
    })
  }

  test('the bank declines while the page is open', async ({ window, makeShop, tools }) => {
    const shop = await makeShop()
    const attacker = await makeLinkedUser(tools, shop.app)
    const { link, paymentIntentId } = await makeTopupLink(shop.app, attacker, 250)
    await callSandbox('faults', { processing: true })
    await callSandbox(`payment_intents/${paymentIntentId}/complete`, { card: CARDS.declined })
    await callSandbox('faults', { processing: false })
    await window.goto(link)
    await expect(window.getByRole('heading', { name: /processing/ })).toBeVisible()
    await callSandbox(`payment_intents/${paymentIntentId}/end-processing`)
    await expect(window.getByRole('heading', { name: /failed/ })).toBeVisible()
    await expectNoWayToPay(window)
  })
})

test("a link with another person's payment and a session pays into the session's wallet only", async ({
  window,
  makeShop,
  tools,
}) => {
  const shop = await makeShop()
  const attacker = await makeLinkedUser(tools, shop.app)
  const person = await makeLinkedUser(tools, shop.app, 10_00n)
  const { link } = await makeTopupLink(shop.app, attacker, 250)
  const session = await openSession(shop.app, person)
  await window.goto(`${link}&session=${session}`)
  await expect(window.getByRole('heading', { name: /not complete/ })).toBeVisible()
  await expectNoWayToPay(window)
  await window.reload()
  await expect(window.getByRole('heading', { name: /not complete/ })).toBeVisible()
  await expectNoWayToPay(window)

  await window.getByRole('button', { name: 'Start a new payment' }).click()
  await expect(window.getByText(await ownerOf(tools, person))).toBeVisible()
  await expect(window.getByText('$10.00')).toHaveCount(0)
  await window.getByRole('button', { name: 'Yes, it is mine' }).click()
  await expect(window.getByText('$10.00')).toBeVisible()
  await expect(window.getByText(await ownerOf(tools, person))).toBeVisible()
  // The same amount as the other payment, which must not be used again.
  await window.getByRole('textbox', { name: /^Amount/ }).fill('250')
  await window.getByRole('button', { name: 'Continue' }).click()
  await expect(window.getByText(await ownerOf(tools, person))).toBeVisible()
  await payByCard(window, CARDS.good)
  await expect(window.getByText(/\$250\.00 added/)).toBeVisible()
  expect(await balanceOf(tools, person.walletId)).toBe(260_00n)
  expect(await balanceOf(tools, attacker.walletId)).toBe(0n)
})

test.describe('a payment that the page started itself', () => {
  async function openCard({ page, shop, tools }: StateSetup) {
    const person = await makeLinkedUser(tools, shop.app, 10_00n)
    await openTopupLink(page, await openSession(shop.app, person))
    await expect(page.getByText(await ownerOf(tools, person))).toBeVisible()
    await chooseAmount(page, '$25')
    await expect(page.getByRole('button', { name: 'Pay $25.00' })).toBeEnabled()
    await expect(page.getByText(await ownerOf(tools, person))).toBeVisible()
    return person
  }

  test('continues after a reload and still names the owner', async ({
    window,
    makeShop,
    tools,
  }) => {
    const person = await openCard({ page: window, shop: await makeShop(), tools })
    await window.reload()
    await expect(window.getByRole('button', { name: 'Pay $25.00' })).toBeEnabled()
    await expect(window.getByText(await ownerOf(tools, person))).toBeVisible()
    await payByCard(window, CARDS.good)
    await expect(window.getByText(/\$25\.00 added/)).toBeVisible()
    expect(await balanceOf(tools, person.walletId)).toBe(35_00n)
  })

  test('names the owner when the bank asks for a confirmation', async ({
    window,
    makeShop,
    tools,
  }) => {
    const person = await openCard({ page: window, shop: await makeShop(), tools })
    await payByCard(window, CARDS.secure)
    await expect(window.locator('iframe[title="3-D Secure"]')).toBeVisible()
    await window.reload()
    await expect(window.getByRole('heading', { name: /bank/ })).toBeVisible()
    await expect(window.getByText(await ownerOf(tools, person))).toBeVisible()
  })

  test('offers no card form after a reload without a live session', async ({
    window,
    makeShop,
    tools,
  }) => {
    await openCard({ page: window, shop: await makeShop(), tools })
    await tools.admin.query('update directory.widget_sessions set expires_at = now()')
    await window.reload()
    await expect(window.getByRole('heading', { name: /session has ended/ })).toBeVisible()
    await expectNoWayToPay(window)
  })
})
