import { expect } from '@playwright/test'
import { makeHeldPerson } from './admin-hold-states.ts'
import { enterAdmin } from './operator.ts'
import { test } from './setup.ts'

test('an operator releases a hold of a client app', async ({ window: page, tools }) => {
  const { id, walletId } = await makeHeldPerson(tools)
  await enterAdmin(page, tools, 'operator', `/people/${id}`)
  await expect(page.getByText('$65.00 more is held by client apps.')).toBeVisible()
  await page.getByRole('link', { name: 'Holds', exact: true }).click()
  await page.getByRole('button', { name: 'Release $50.00, held by City Bikes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Release hold' }).click()
  await expect(dialog.getByText('Enter a reason of at least 3 characters.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('The shop has closed, ticket 4712')
  await dialog.getByRole('button', { name: 'Release hold' }).click()
  await expect(dialog.getByText('The balance is now $185.00.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: /Release/ })).toHaveCount(1)
  await expect(page.getByText('$15.00 more is held by client apps.')).toBeVisible()
  const wallet = await tools.ledger.readWallet(walletId)
  expect([wallet?.balance, wallet?.held]).toEqual([185_00n, 15_00n])
})
