/** The search of the admin area leads from what a person or an app names to its page. */
import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { PERSON_VIEWER } from '../server/account/read-history.ts'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { loadTransactionIds } from '../server/wallet/transaction-id.ts'
import { enterAdmin } from './operator.ts'
import { test } from './setup.ts'

test('the id of a transaction, as a person or an app sees it, finds the operation', async ({
  window,
  tools,
}) => {
  const app = await makeClientApp(tools, { name: `Searched ${Date.now()}` })
  const user = await makeLinkedUser(tools, app, 20_00n)
  const referenceId = randomUUID()
  await tools.ledger.post({
    kind: 'debit',
    referenceType: 'ORDER',
    referenceId,
    walletId: user.walletId,
    amountMinor: 5_00n,
    counterAccount: app.account,
    description: null,
  })
  const ids = await loadTransactionIds(tools.db)
  await enterAdmin(window, tools, 'viewer', '')
  const search = window.getByRole('searchbox', { name: /^Search people/ })
  for (const viewer of [PERSON_VIEWER, app.account]) {
    await window.getByRole('link', { name: 'Overview' }).click()
    await expect(window.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    await window.keyboard.press('/')
    await expect(search).toBeFocused()
    // The user's first operation is the bonus.
    await search.fill(ids.seal(viewer, user.walletId, 2n))
    await search.press('Enter')
    await expect(window.getByText(referenceId).first()).toBeVisible()
  }
  await search.fill(app.clientId)
  await search.press('Enter')
  await expect(window.getByRole('heading', { level: 1, name: /^Searched/ })).toBeVisible()
})
