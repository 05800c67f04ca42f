import { expect, type Locator, type Page } from '@playwright/test'
import { plantLimit, registerUnlimited } from './admin-limit-states.ts'
import { enterAtPerson, idOf, makeDebit, plantGrant } from './admin-grants-states.ts'
import { chooseMore } from './admin-people-states.ts'
import { enterAdmin } from './operator.ts'
import { test, type Tools } from './setup.ts'

async function fill(page: Page, amount: string) {
  await page.getByLabel('Amount in USD').fill(amount)
  await page.getByLabel('Reason').fill('Charged twice, ticket 4711.')
}

/** Number of operations of the wallet, not counting the first. */
async function countGiven({ admin }: Tools, walletId: bigint): Promise<number> {
  const { rows } = await admin.query(
    'select count(*)::int as count from ledger.operations where wallet_id = $1 and seq > 1',
    [String(walletId)],
  )
  return rows[0].count as number
}

test('an operator gives a bonus and corrects a balance, with a preview of the new balance', async ({
  window,
  tools,
}) => {
  await window.setViewportSize({ width: 1280, height: 900 })
  const { walletId } = await enterAtPerson(window, tools)
  await chooseMore(window, 'Give a bonus')
  const dialog = window.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Give bonus' }).click()
  await expect(dialog.getByText('Enter a reason of at least 3 characters.')).toBeVisible()
  await expect(dialog.getByText('You can post $100.00 more in the current 24 hours')).toBeVisible()
  await fill(window, '100.01')
  await expect(
    dialog.getByText('This needs a second operator: you can post only $100.00'),
  ).toBeVisible()
  await fill(window, '25')
  const preview = dialog.getByRole('status').filter({ hasText: 'Balance' })
  await expect(preview).toHaveText('Balance $12.00→ becomes $37.00')
  await dialog.getByRole('button', { name: 'Give $25.00' }).dblclick()
  const done = window.getByText('Gave $25.00. The balance is now $37.00.')
  await expect(done).toBeFocused()
  await expect(dialog).toBeHidden()
  expect(await countGiven(tools, walletId)).toBe(1)

  await window.getByRole('button', { name: 'Correct the balance' }).click()
  await window.getByLabel('Take from the balance').check()
  await fill(window, '40')
  await expect(dialog.getByText('This is more than the balance.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Take $40.00' }).click()
  await expect(dialog.getByText('The balance is lower than that')).toBeVisible()
  await fill(window, '7')
  await dialog.getByRole('button', { name: 'Take $7.00' }).click()
  await expect(window.getByText('Took $7.00. The balance is now $30.00.')).toBeFocused()
  await expect(window.locator('main').getByText('$30.00').first()).toBeVisible()
})

test('"I was charged twice": from the id of the transaction to the money in four clicks', async ({
  window,
  tools,
}) => {
  const { transactionId, referenceId, walletId } = await makeDebit(tools)
  await enterAdmin(window, tools, 'operator', '')
  await expect(window.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await window.keyboard.press('/')
  await window.keyboard.insertText(transactionId)
  await window.keyboard.press('Enter')
  const verdict = window.getByRole('status').filter({ hasText: 'Debited once: $9.00' })
  await expect(verdict).toContainText('Corner Shop made no other debit of $9.00')
  await window.getByRole('link', { name: 'Ada Example' }).click()
  const row = window.getByRole('row', { name: /Two teas Debit · Corner Shop/ })
  await row.getByRole('button').click()
  await window.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(window.getByLabel('Amount in USD')).toHaveValue('9')
  await expect(window.getByLabel('Reason')).toHaveValue(
    `Refund of ORDER ${referenceId} of Corner Shop.`,
  )
  await window.getByRole('button', { name: 'Refund $9.00' }).click()
  await expect(window.getByText('Refunded $9.00. The balance is now $20.00.')).toBeFocused()
  expect((await tools.ledger.readWallet(walletId))?.balance).toBe(20_00n)
  const entry = window.getByRole('row', { name: /Correction, in Refund of ORDER .*@/ })
  const background = (of: Locator) =>
    of.getByRole('rowheader').evaluate((cell) => getComputedStyle(cell).backgroundColor)
  await expect(entry).toBeVisible()
  expect(await background(entry)).not.toBe(await background(row))
  await entry.getByRole('button').click()
  await window.getByRole('link', { name: /^txn_/ }).click()
  await expect(verdict).toContainText(`Reference ${referenceId}.`)
  await window.goBack()

  // The same debit again: once more the same, then more than it was.
  const openAgain = async () => {
    await window.reload()
    await row.getByRole('button').click()
    await window.getByRole('button', { name: 'Refund', exact: true }).click()
  }
  await openAgain()
  await window.getByRole('button', { name: 'Refund $9.00' }).click()
  await expect(window.getByText('Refunded $9.00. The balance is now $20.00.')).toBeFocused()
  await openAgain()
  await window.getByLabel('Amount in USD').fill('10')
  await window.getByRole('button', { name: 'Refund $10.00' }).click()
  await expect(window.getByText('This debit was already refunded')).toBeVisible()
  expect((await tools.ledger.readWallet(walletId))?.balance).toBe(20_00n)
})

test('a lost response and a repeated request post one bonus', async ({ window, tools }) => {
  const { walletId } = await enterAtPerson(window, tools)
  await chooseMore(window, 'Give a bonus')
  await fill(window, '5')
  await window.route(
    '**/api/admin/grants',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await window.getByRole('button', { name: 'Give $5.00' }).click()
  await expect(window.getByText('It is not known yet whether this was posted.')).toBeVisible()
  await expect(window.getByLabel('Amount in USD')).toBeDisabled()
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByText('The balance is now $17.00.')).toBeVisible()
  expect(await countGiven(tools, walletId)).toBe(1)
})

test('an amount above the limit waits for a second operator', async ({ window, tools }) => {
  await enterAtPerson(window, tools)
  await chooseMore(window, 'Give a bonus')
  await fill(window, '100.01')
  await window.getByRole('button', { name: 'Give $100.01' }).click()
  await expect(window.getByRole('heading', { name: 'Waiting for a second operator' })).toBeVisible()
  await window.getByRole('link', { name: 'Go to approvals' }).click()
  const own = window.getByRole('listitem').filter({ hasText: '+$100.01' })
  await expect(
    own.getByText('You proposed this, so another operator must approve it.'),
  ).toBeVisible()
  await expect(own.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await own.getByRole('button', { name: /^Withdraw/ }).click()
  await window.getByLabel('Reason').fill('A mistake')
  await window.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(window.getByText('Withdrawn: +$100.01, Ada Example.')).toBeVisible()
})

test('a second operator approves; one who was added by the proposer sees why they cannot', async ({
  window,
  tools,
}) => {
  const mark = `Goodwill ${Date.now()}`
  const { user, proposer } = await plantGrant(tools, { reason: mark })
  await enterAdmin(window, tools, 'operator', `/grants?search=${encodeURIComponent(mark)}`)
  await window.getByRole('button', { name: 'Menu' }).click()
  await expect(window.getByRole('link', { name: /^Approvals \d+\+? waiting$/ })).toBeVisible()
  await window.getByRole('button', { name: /^Approve/ }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(window.getByText('Posted: +$500.00, Ada Example.')).toBeVisible()
  expect((await tools.ledger.readWallet(user.walletId))?.balance).toBe(500_00n)
  await expect(window.getByText('No results')).toBeVisible()

  await plantGrant(tools, { reason: mark, by: proposer })
  const email = (await window.getByRole('banner').getByText('@').textContent())?.split(' ')[0] ?? ''
  await tools.admin.query('update admin.operators set created_by = $2 where id = $1', [
    String(await idOf(tools, email)),
    String(proposer),
  ])
  await window.reload()
  await expect(window.getByText('added you or reset your authenticator')).toBeVisible()
  await expect(window.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
})

test('unlimited credit waits for a second operator, and the proposer can withdraw it', async ({
  window,
  tools,
}) => {
  await enterAdmin(window, tools, 'owner', '/client-apps/new')
  const name = `Shop ${Date.now()}`
  const clientId = await registerUnlimited(window, name)
  await window.getByRole('link', { name: 'Go to approvals' }).click()
  const own = window.getByRole('listitem').filter({ hasText: name })
  await expect(
    own.getByText('You proposed this, so another operator must approve it.'),
  ).toBeVisible()
  await expect(own.getByText('Credit limit', { exact: true })).toBeVisible()
  await own.getByRole('link', { name }).click()
  await expect(window.getByText(/Waiting for a second operator: Unlimited/)).toBeVisible()
  await expect(window.getByText('$0.00 can still be credited.')).toBeVisible()
  await window.goBack()
  await own.getByRole('button', { name: /^Withdraw/ }).click()
  await window.getByLabel('Reason').fill('A mistake')
  await window.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(window.getByText(`Withdrawn: unlimited credit, ${name}.`)).toBeVisible()
  const { rows } = await tools.admin.query(
    `select action from admin.audit where subject = $1 order by id`,
    [clientId],
  )
  const actions = rows.map((row) => row.action as string)
  expect(actions).toEqual(['client_app.create', 'grant.propose', 'grant.withdraw'])
})

test('a second operator approves a credit limit, and it takes effect', async ({
  window,
  tools,
}) => {
  const name = `Shop ${Date.now()}`
  const { ledgerAccount: account } = await plantLimit(tools, name, 750_00n)
  await enterAdmin(window, tools, 'operator', `/grants?search=${encodeURIComponent(name)}`)
  await window.getByRole('button', { name: `Approve: a credit limit of $750.00, ${name}` }).click()
  const dialog = window.getByRole('dialog')
  await expect(
    dialog.getByRole('heading', { name: `Set the credit limit of ${name} to $750.00?` }),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(window.getByText(`Approved: a credit limit of $750.00, ${name}.`)).toBeVisible()
  expect((await tools.ledger.readAccount(account))?.creditLimit).toBe(750_00n)
})
