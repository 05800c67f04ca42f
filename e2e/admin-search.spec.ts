/** The search of the admin area leads from what a person or an app names to its page. */
import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test } from './setup.ts'

test('the id of a transaction finds its operation, and the id of an app its page', async ({
  window,
  tools,
}) => {
  const app = await makeClientApp(tools, { name: `Searched ${Date.now()}` })
  const { serviceUserId } = await makeLinkedUser(tools, app, 20_00n)
  const { clientId, clientSecret } = app
  const referenceId = randomUUID()
  const operation = { serviceUserId, amount: 5, referenceType: 'ORDER', referenceId }
  const response = await fetch(`${SERVICE()}/api/server/wallet/debit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, ...operation }),
  })
  const { transactionId } = (await response.json()) as { transactionId: string }
  await enterAdmin(window, tools, 'viewer', '')
  await expect(window.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  const search = window.getByRole('searchbox', { name: 'Search everything' })
  await window.keyboard.press('/')
  await expect(search).toBeFocused()
  await search.fill(transactionId)
  await search.press('Enter')
  await expect(window.getByText(referenceId).first()).toBeVisible()
  await search.fill(clientId)
  await search.press('Enter')
  await expect(window.getByRole('heading', { level: 1, name: /^Searched/ })).toBeVisible()
})
