import { expect } from '@playwright/test'
import { enterAdmin } from './operator.ts'
import { dispute, makePayer, refund, spend, topUp } from './payer.ts'
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

  const lookUp = window.getByRole('search', { name: 'Look up an operation' })
  await enterAdmin(window, tools, 'viewer', '/operations')
  await lookUp.getByLabel('Client app').fill(name)
  await window.getByLabel('Reference type').fill('ORDER_PAYMENT')
  await window.getByLabel(/^Reference ID/).fill(id)
  await window.getByRole('button', { name: 'Look up' }).click()
  const verdict = window.getByRole('status').filter({ hasText: 'Debited once: $12.00' })
  await expect(verdict).toContainText('2 later attempts with different amounts were not executed.')
  await expect(window.getByText('"message": "Debit completed."')).toBeVisible()

  await window.reload()
  await expect(verdict).toBeVisible()
  await expect(lookUp.getByLabel('Client app')).toHaveValue(`${name} · ${payer.app.clientId}`)
  await window.getByRole('link', { name: 'Ada Example' }).first().click()
  await expect(window).toHaveURL(`${SERVICE()}/admin/people/${payer.userId}`)

  await window.goBack()
  await window.getByLabel(/^Reference ID/).fill('another')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByRole('heading', { name: 'No outcome recorded' })).toBeVisible()
  await expect(window.getByText('It is safe to retry with the same reference.')).toBeVisible()
  await spend(payer, 5, 'another')
  const again = window.getByRole('button', { name: 'Look up' })
  await again.click()
  await expect(window.getByRole('heading', { name: 'Debited once: $5.00' })).toBeVisible()
  await expect(again).toBeFocused()
  await window.goBack()
  await expect(window.getByLabel(/^Reference ID/)).toHaveValue(id)
})

test('was it charged twice? Similar debits are listed, each with its own reference', async ({
  window,
  tools,
}) => {
  const name = `Shop ${Date.now()}`
  const payer = await makePayer(tools, name)
  await topUp(tools, payer, 40)
  const [first, second] = [`order-78-${Date.now()}`, `order-79-${Date.now()}`]
  await spend(payer, 12, first)
  await spend(payer, 12, second)
  const pair = new URLSearchParams({ app: payer.app.clientId, type: 'ORDER_PAYMENT', id: first })
  await enterAdmin(window, tools, 'viewer', `/operations?${pair}`)
  const verdict = window.getByRole('status').filter({ hasText: `Reference ${first}.` })
  await expect(verdict.getByRole('heading')).toHaveText('2 debits of $12.00')
  await expect(verdict).toContainText(`${name} made another debit of $12.00`)
  await expect(verdict.getByRole('listitem')).toHaveText(
    new RegExp(`^Reference ${second}: .* UTC · Two coffees$`),
  )
  await expect(window.getByText('ID the person sees', { exact: true })).toBeVisible()
  await expect(window.getByText('ID the app sees', { exact: true })).toBeVisible()
  await verdict.getByRole('link', { name: `Reference ${second}` }).click()
  await expect(
    window.getByRole('status').filter({ hasText: `Reference ${second}.` }),
  ).toContainText('2 debits of $12.00')
})

test('a debit that is refunded says so, and cannot be refunded again', async ({
  window,
  tools,
}) => {
  const payer = await makePayer(tools)
  await topUp(tools, payer, 40)
  const [id, again] = [`order-1-${Date.now()}`, `order-2-${Date.now()}`]
  await spend(payer, 12, id)
  await refund(payer, id)
  const pair = new URLSearchParams({ app: payer.app.clientId, type: 'ORDER_PAYMENT', id })
  await enterAdmin(window, tools, 'operator', `/operations?${pair}`)
  const verdict = window.getByRole('heading', { name: 'Debited $12.00, refunded in full' })
  await expect(verdict).toBeVisible()
  await expect(window.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)

  await spend(payer, 12, again)
  await window.getByLabel(/^Reference ID/).fill(again)
  await window.getByRole('button', { name: 'Look up' }).click()
  const both = window.getByRole('heading', { name: '2 debits of $12.00, 1 refunded in full' })
  await expect(both).toBeVisible()
  await expect(window.getByRole('listitem').filter({ hasText: id })).toContainText(
    'refunded in full',
  )
  await expect(window.getByRole('button', { name: 'Refund', exact: true })).toBeVisible()
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

  const lookUp = window.getByRole('search', { name: 'Look up an operation' })
  await enterAdmin(window, tools, 'viewer', '/operations')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByText('Choose one of the client apps')).toBeVisible()
  await expect(lookUp.getByLabel('Client app')).toBeFocused()
  await lookUp.getByLabel('Client app').fill(clientId)
  await window.getByLabel(/^Reference ID/).fill(transactions[0]?.id ?? '')
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByRole('heading', { name: 'Topped up once: $40.00' })).toBeVisible()
  await window.getByLabel(/^Reference ID/).fill(`txn_${'0'.repeat(32)}`)
  await window.getByRole('button', { name: 'Look up' }).click()
  await expect(window.getByText('Transaction or client app not found')).toBeVisible()
})

test('recent operations: newest first, filtered, and each leads to its details', async ({
  window,
  tools,
}) => {
  const name = `Shop ${Date.now()}`
  const payer = await makePayer(tools, name)
  const { id, charge } = await topUp(tools, payer, 40)
  const references = [1, 2, 3].map((each) => `order-${each}-${Date.now()}`)
  for (const [index, each] of references.entries()) await spend(payer, 5 + index, each)
  const seizure = await dispute(tools, id, charge)

  await window.setViewportSize({ width: 1280, height: 900 })
  await enterAdmin(window, tools, 'viewer', '/operations')
  const filters = window.getByRole('search', { name: 'Filter recent operations' })
  const rows = window.getByRole('table', { name: 'Recent operations' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()

  await filters.getByLabel('Client app').fill(name)
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(references[2] ?? '')
  await expect(rows.nth(0)).toContainText('\u2212$7.00')
  await expect(rows.nth(2)).toContainText(references[0] ?? '')
  await filters.getByLabel('Minimum in USD').fill('6.001')
  await expect(filters.getByText('Enter an amount like')).toBeVisible()
  await filters.getByLabel('Minimum in USD').fill('6')
  await expect(rows).toHaveCount(2)
  await filters.getByLabel('Direction').selectOption('In')
  await expect(window.getByText('No results')).toBeVisible()
  await filters.getByLabel('Direction').selectOption('Any direction')
  await expect(rows).toHaveCount(2)

  await rows.nth(0).getByRole('link', { name: 'Debit' }).click()
  await expect(window.getByRole('heading', { name: 'Debited once: $7.00' })).toBeVisible()
  await window.goBack()
  await expect(rows).toHaveCount(2)
  await expect(filters.getByLabel('Minimum in USD')).toHaveValue('6')
  await rows.nth(0).getByRole('link', { name: 'Ada Example' }).click()
  await expect(window).toHaveURL(`${SERVICE()}/admin/people/${payer.userId}`)

  await window.goto(`${SERVICE()}/admin/operations?kind=seizure&min=40&reference=${seizure}`)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('became a debt')
  await window.goto(`${SERVICE()}/admin/operations?to=2020-01-01T00:00`)
  await expect(window.getByText('No results')).toBeVisible()
})

test('recent operations: older ones follow on request', async ({ window, tools }) => {
  const payer = await makePayer(tools)
  await topUp(tools, payer, 100)
  const stamp = Date.now()
  for (let each = 0; each < 51; each++) await spend(payer, 1, `many-${each}-${stamp}`)
  await enterAdmin(window, tools, 'viewer', `/operations?client=${payer.app.clientId}`)
  const rows = window.getByRole('table', { name: 'Recent operations' }).locator('tbody tr')
  const more = window.getByRole('button', { name: 'Show more' })
  // A busy machine may need several pages.
  await expect(rows.first()).toContainText(`many-50-${stamp}`)
  await expect(more).toBeVisible()
  // The button goes away with the last page, maybe just before a click.
  await expect(async () => {
    if ((await rows.count()) < 51) await more.click({ timeout: 2_000 })
    expect(await rows.count()).toBe(51)
  }).toPass()
  await expect(rows.last()).toContainText(`many-0-${stamp}`)
})
