/** The example shop, as its users see it. */
import { expect } from '@playwright/test'
import { balanceIn, enterShop, test, topUpInShop, visibleWidgetIn } from './example-shop.ts'
import { newPerson, type StorageMode } from './setup.ts'
import { logIn, seesWallet, signUp } from './sign-in.ts'

for (const storageMode of ['blocked', 'allowed'] as const satisfies readonly StorageMode[]) {
  test.describe(`the shop, third-party storage ${storageMode}`, () => {
    test.use({ storageMode })

    test('link, pay too much, top up, pay, refund, pay from two accounts', async ({
      window,
      shop,
      browserContext,
    }) => {
      const person = newPerson()
      await enterShop(window, shop, 'ada')
      await window.getByRole('button', { name: 'Order House blend' }).click()
      await window.getByRole('button', { name: 'Pay order' }).click()
      await expect(window.getByRole('status')).toContainText('not linked yet')

      await signUp(visibleWidgetIn(window), person)
      await seesWallet(visibleWidgetIn(window), person)
      await expect(visibleWidgetIn(window).getByRole('heading', { name: /^Hello/ })).toBeFocused()
      await window.getByRole('button', { name: 'Pay order' }).click()
      await expect(window.getByText('does not hold enough')).toBeVisible()

      const row = window.getByRole('listitem').filter({ hasText: 'You need' })
      await expect(row).toContainText('You need $11.50 more.')
      const opened = window.context().waitForEvent('page')
      await row.getByRole('button', { name: 'Add $11.50' }).click()
      const topupWindow = await opened
      await expect(topupWindow.getByLabel('Amount')).toHaveValue('11.50')
      await topupWindow.close()

      await topUpInShop(window, '$25')
      await balanceIn(window, '$25.00')
      await window.getByRole('button', { name: 'Pay order' }).click()
      await expect(window.getByRole('status')).toContainText('Paid from your wallet')
      await balanceIn(window, '$13.50')

      await window.getByRole('button', { name: 'Refund order' }).click()
      await expect(window.getByRole('status')).toContainText('Refunded')
      await balanceIn(window, '$25.00')

      // Another user of the shop pays from the same wallet.
      await window.getByRole('button', { name: 'Log out' }).click()
      await enterShop(window, shop, 'bo')
      await logIn(visibleWidgetIn(window), person)
      await balanceIn(window, '$25.00')
      const [ada, bo] = ['ada', 'bo'].map((name) => shop.store.findUser(name, 'coffee'))
      expect(bo?.serviceUserId).toBe(ada?.serviceUserId)
      await window.getByRole('button', { name: 'Order Espresso' }).click()
      await window.getByRole('button', { name: 'Pay order' }).click()
      await balanceIn(window, '$22.20')
      expect(browserContext.pages()).toHaveLength(1)
    })
  })
}

test('switching the account removes the field, and the new one is linked', async ({
  window,
  shop,
}) => {
  const [first, second] = [newPerson(), { ...newPerson(), firstName: 'Grace' }]
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), first)
  await seesWallet(visibleWidgetIn(window), first)
  const linked = shop.store.findUser('ada', 'coffee')
  await visibleWidgetIn(window).getByRole('button', { name: 'Not you? Switch account' }).click()
  await visibleWidgetIn(window).getByRole('button', { name: 'Switch account', exact: true }).click()
  await expect(
    visibleWidgetIn(window).getByRole('heading', { name: 'Log in to your wallet' }),
  ).toBeVisible()
  expect(shop.store.findUser('ada', 'coffee')).not.toHaveProperty('serviceUserId')
  await signUp(visibleWidgetIn(window), second)
  await seesWallet(visibleWidgetIn(window), second)
  const again = shop.store.findUser('ada', 'coffee')
  expect(again?.serviceUserId).toMatch(/^su_/)
  expect(again?.serviceUserId).not.toBe(linked?.serviceUserId)
})

test('a refund after switching the account goes to the wallet that paid', async ({
  window,
  shop,
  tools,
}) => {
  const [payer, other] = [newPerson(), { ...newPerson(), firstName: 'Grace' }]
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), payer)
  await seesWallet(visibleWidgetIn(window), payer)
  await topUpInShop(window, '$25')
  await balanceIn(window, '$25.00')
  await window.getByRole('button', { name: 'Order House blend' }).click()
  await window.getByRole('button', { name: 'Pay order' }).click()
  await balanceIn(window, '$13.50')

  await visibleWidgetIn(window).getByRole('button', { name: 'Not you? Switch account' }).click()
  await visibleWidgetIn(window).getByRole('button', { name: 'Switch account', exact: true }).click()
  await signUp(visibleWidgetIn(window), other)
  await seesWallet(visibleWidgetIn(window), other)
  await window.getByRole('button', { name: 'Refund order' }).click()
  await expect(window.getByRole('status')).toContainText('Refunded to the wallet that paid')
  // The page's script removes the notice from the address.
  await expect(window).toHaveURL(`${shop.url}/`)
  await window.reload()
  await expect(window.getByText('Refunded to the wallet that paid')).toHaveCount(0)
  await balanceIn(window, '$0.00')
  const { rows } = await tools.admin.query(
    `select w.balance from ledger.wallets w join directory.service_users u on u.wallet_id = w.id
      join directory.people p on p.service_user_id = u.id where p.email = $1`,
    [payer.email],
  )
  expect(Number(rows[0].balance)).toBe(25_00)
})

test('a session that ends is renewed without the user noticing', async ({
  window,
  shop,
  tools,
}) => {
  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  const { rowCount: before } = await tools.admin.query(
    'update directory.widget_sessions set expires_at = now()',
  )
  // When the widget becomes visible again, it finds that the session has ended, and the page creates another one.
  await window.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  const count = async () =>
    (await tools.admin.query('select from directory.widget_sessions')).rowCount
  await expect.poll(count).toBeGreaterThan(before ?? 0)
  await seesWallet(visibleWidgetIn(window), person)
  await window.getByRole('button', { name: 'Order Espresso' }).click()
  await seesWallet(visibleWidgetIn(window), person)
})

test('a blocked window is offered again by a button', async ({ window, shop }) => {
  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  await window.evaluate(() => {
    const { open } = globalThis
    globalThis.open = () => {
      globalThis.open = open
      return null
    }
  })
  await visibleWidgetIn(window).getByRole('button', { name: 'Add money' }).click()
  const opened = window.context().waitForEvent('page')
  await window.getByRole('button', { name: /Open/ }).click()
  await expect((await opened).getByRole('heading', { name: 'Add money' })).toBeVisible()
})

test('the shop pays an order once, even if a button is pressed repeatedly', async ({
  window,
  shop,
  tools,
}) => {
  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  await topUpInShop(window, '$25')
  await balanceIn(window, '$25.00')
  await window.getByRole('button', { name: 'Order House blend' }).click()
  const button = window.getByRole('button', { name: 'Pay order' })
  await expect(button).toBeVisible()
  const id = (await button.getAttribute('value')) ?? ''
  const statuses = await window.evaluate(
    (order) =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          const body = new URLSearchParams({ order })
          return (await fetch('/pay', { method: 'POST', body })).status
        }),
      ),
    id,
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  await window.goto(shop.url)
  await balanceIn(window, '$13.50')
  const { rows } = await tools.admin.query(
    `select count(*)::int as count from ledger.operations where reference_id like 'order-' || $2 || '-%' and wallet_id =
      (select wallet_id from directory.service_users u join directory.people p on p.service_user_id = u.id where p.email = $1)`,
    [person.email, id],
  )
  expect(rows[0].count).toBe(1)
})
