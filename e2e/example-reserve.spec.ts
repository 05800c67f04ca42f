/** An order of the example shop that is sold by weight, as its users see it. */
import { expect } from '@playwright/test'
import { balanceIn, enterShop, test, topUpInShop, visibleWidgetIn } from './example-shop.ts'
import { seesWallet, signUp } from './sign-in.ts'
import { newPerson } from './setup.ts'

test('reserve, cancel, reserve, pay what it weighs, refund a part and the rest', async ({
  window,
  shop,
}) => {
  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  await topUpInShop(window, '$25')
  await balanceIn(window, '$25.00')

  await window.getByRole('button', { name: 'Order Loose tea' }).click()
  await window.getByRole('button', { name: 'Reserve order' }).click()
  await expect(window.getByRole('status')).toContainText('Reserved in your wallet')
  await balanceIn(window, '$10.00')
  await expect(visibleWidgetIn(window).getByText('Reserved: $15.00')).toBeVisible()
  await expect(visibleWidgetIn(window).getByText('Reserved: Loose tea, by weight')).toBeVisible()

  await window.getByRole('button', { name: 'Cancel order' }).click()
  await expect(window.getByRole('status')).toContainText('Canceled')
  await balanceIn(window, '$25.00')
  await expect(visibleWidgetIn(window).getByText('Reserved: $15.00')).toBeHidden()
  await expect(visibleWidgetIn(window).getByText('Released', { exact: true })).toBeVisible()

  await window.getByRole('button', { name: 'Order Loose tea' }).click()
  await window.getByRole('button', { name: 'Reserve order' }).click()
  await balanceIn(window, '$10.00')
  await window.getByRole('button', { name: 'Pay $12.40 for order' }).click()
  await expect(window.getByRole('status')).toContainText('Paid from your wallet')
  await balanceIn(window, '$12.60')

  await window.getByRole('button', { name: 'Refund $1.00 of order' }).click()
  await expect(window.getByRole('status')).toContainText('A part was refunded')
  await balanceIn(window, '$13.60')
  await window.getByRole('button', { name: 'Refund order' }).click()
  await balanceIn(window, '$25.00')
})
