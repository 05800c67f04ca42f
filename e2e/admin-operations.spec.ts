import { expect } from '@playwright/test'
import { enterAdmin } from './operator.ts'
import { makePayer, spend, topUp } from './payer.ts'
import { SERVICE, test } from './setup.ts'

test('was it charged? The result comes first, and its URL can be shared', async ({
  window,
  tools,
}) => {
  const name = `Shop ${Date.now()}`
  const payer = await makePayer(tools, name)
  await topUp(tools, payer, 40)
  const id = `order ${Date.now()} & more`
  for (const amount of [12, 13, 14]) await spend(payer, amount, id)

  await enterAdmin(window, tools, 'viewer', '/operations')
  await window.getByLabel('Client app').fill(name)
  await window.getByLabel('Reference type').fill('ORDER_PAYMENT')
  await window.getByLabel(/^Reference ID/).fill(id)
  await window.getByRole('button', { name: 'Look up' }).click()
  const verdict = window.getByRole('status').filter({ hasText: 'Charged once: $12.00' })
  await expect(verdict).toContainText('2 later attempts with different amounts were not executed.')
  await expect(window.getByText('"message": "Debit completed."')).toBeVisible()

  await window.reload()
  await expect(verdict).toBeVisible()
  await expect(window.getByLabel('Client app')).toHaveValue(`${name} · ${payer.app.clientId}`)
  await window.getByRole('link', { name: 'Ada Example' }).first().click()
  await expect(window).toHaveURL(`${SERVICE()}/admin/people/${payer.userId}`)

  await window.goBack()
  await window.getByLabel(/^Reference ID/).fill('another')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByRole('heading', { name: 'Never received' })).toBeVisible()
  await expect(window.getByText('It is safe to retry with the same reference.')).toBeVisible()
  await spend(payer, 5, 'another')
  const again = window.getByRole('button', { name: 'Look up' })
  await again.click()
  await expect(window.getByRole('heading', { name: 'Charged once: $5.00' })).toBeVisible()
  await expect(again).toBeFocused()
  await window.goBack()
  await expect(window.getByLabel(/^Reference ID/)).toHaveValue(id)
})

test('a transaction id leads to the operation, and a missing one is reported', async ({
  window,
  tools,
}) => {
  const payer = await makePayer(tools)
  await topUp(tools, payer, 40)
  await spend(payer, 500, `order-${Date.now()}`)
  const { clientId, clientSecret } = payer.app
  const query = { clientId, clientSecret, serviceUserId: payer.serviceUserId }
  const response = await fetch(`${SERVICE()}/api/server/wallet?${new URLSearchParams(query)}`)
  const { transactions } = (await response.json()) as { transactions: { id: string }[] }

  await enterAdmin(window, tools, 'viewer', '/operations')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByText('Choose one of the client apps')).toBeVisible()
  await expect(window.getByLabel('Client app')).toBeFocused()
  await window.getByLabel('Client app').fill(clientId)
  await window.getByLabel(/^Reference ID/).fill(transactions[0]?.id ?? '')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByRole('heading', { name: 'Topped up once: $40.00' })).toBeVisible()
  await window.getByLabel('Client app').fill('The service itself')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByText('Transaction or client app not found')).toBeVisible()
})
