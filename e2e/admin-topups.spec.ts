import { expect, type Page } from '@playwright/test'
import { enterAdmin } from './operator.ts'
import { makePayer, topUp } from './payer.ts'
import { SERVICE, test, type Tools } from './setup.ts'

const REFUND = '**/api/admin/topups/refund'

async function refundsOf({ admin }: Tools, topupId: string) {
  const { rows } = await admin.query<{ amount: string; status: string }>(
    'select amount, status from directory.refunds where topup_id = $1',
    [topupId],
  )
  return rows
}

async function fillRefund(page: Page, amount: string) {
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in USD').fill(amount)
  await dialog.getByLabel('Reason').fill('Paid twice, ticket 4711')
  return dialog
}

test('an operator finds a top-up of a person and refunds a part of it', async ({
  window,
  tools,
}) => {
  const payer = await makePayer(tools)
  const { id, paymentIntentId } = await topUp(tools, payer, 20)
  await enterAdmin(window, tools, 'operator', `/topups?person=${payer.userId}`)
  await expect(window.getByText('Only for Ada Example')).toBeVisible()
  await window.getByLabel('Search', { exact: true }).fill(paymentIntentId)
  await expect(window).toHaveURL(new RegExp(`search=${paymentIntentId}.*person=${payer.userId}`))
  await window.getByRole('link', { name: '$20.00' }).click()
  await expect(window.getByRole('heading', { name: 'Top-up of $20.00' })).toBeFocused()

  const dialog = await fillRefund(window, '20.01')
  const submit = dialog.getByRole('button', { name: 'Refund' })
  await submit.click()
  await expect(dialog.getByText('At most $20.00 of this top-up')).toBeVisible()
  await dialog.getByLabel('Amount in USD').fill('7.50')
  await submit.dblclick()
  await expect(window.getByText('$7.50 is on its way to the card.')).toBeVisible()
  await expect(window.getByText('$12.50 can still be refunded.')).toBeVisible()
  await expect(window.getByRole('cell', { name: /Sent.*ticket 4711/ })).toBeVisible()
  expect(await refundsOf(tools, id)).toEqual([{ amount: '750', status: 'sent' }])
  expect((await tools.ledger.readWallet(payer.walletId))?.balance).toBe(12_50n)

  await window.getByRole('link', { name: 'Audit log of this top-up' }).click()
  await expect(window.getByText('topup.refund')).toBeVisible()
})

test('a lost response does not cause a second refund', async ({ window, tools }) => {
  const payer = await makePayer(tools)
  const { id } = await topUp(tools, payer, 20)
  await enterAdmin(window, tools, 'operator', `/topups/${id}`)
  const dialog = await fillRefund(window, '8')
  // The service executes the request, but the response is lost.
  await window.route(REFUND, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('not certain whether the refund has started')).toBeVisible()
  await expect(dialog.getByLabel('Amount in USD')).toBeDisabled()
  await window.unroute(REFUND)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(window.getByText('$8.00 is on its way to the card.')).toBeVisible()
  expect(await refundsOf(tools, id)).toEqual([{ amount: '800', status: 'sent' }])
  expect((await tools.ledger.readWallet(payer.walletId))?.balance).toBe(12_00n)
})

test('a viewer sees a top-up but no actions', async ({ window, tools }) => {
  const { id } = await topUp(tools, await makePayer(tools), 20)
  await enterAdmin(window, tools, 'viewer', `/topups/${id}`)
  await expect(window.getByText('No refunds.')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await window.getByRole('link', { name: 'Show the operation' }).click()
  await expect(window.getByRole('heading', { name: 'Topped up once: $20.00' })).toBeVisible()
  await window.goto(`${SERVICE()}/admin/topups/${'0'.repeat(8)}-0000-0000-0000-000000000000`)
  await expect(window.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
