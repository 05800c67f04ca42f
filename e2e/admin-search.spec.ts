/** The search of the admin area leads from what a person or an app names to its page. */
import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { makeNamedPerson } from './admin-people-states.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test } from './setup.ts'

test('a transaction id and a reference find the operation, and an id and a name the app', async ({
  window,
  tools,
}) => {
  const name = `Searched ${Date.now()}`
  const app = await makeClientApp(tools, { name })
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

  await search.fill(referenceId)
  await search.press('Enter')
  await window.getByRole('link', { name: 'Debit \u2212$5.00' }).click()
  await expect(window.getByRole('heading', { name: 'Debited once: $5.00' })).toBeVisible()
  await search.fill(name)
  await search.press('Enter')
  await expect(window.getByRole('heading', { level: 1 })).toHaveText(`Results for “${name}”`)
  await expect(window.getByText('No operation has exactly this reference ID.')).toBeVisible()
  await window.getByRole('link', { name: name }).click()
  await expect(window.getByRole('heading', { level: 1, name: name })).toBeVisible()
})

test('the name and the email of a person find the person', async ({ window, tools }) => {
  const person = await makeNamedPerson(tools, { firstName: 'Hedy', lastName: `L${Date.now()}` })
  await enterAdmin(window, tools, 'viewer', '')
  const search = window.getByRole('searchbox', { name: 'Search everything' })
  for (const text of [person.email, person.lastName]) {
    await search.fill(text)
    await search.press('Enter')
    await window.getByRole('link', { name: `Hedy ${person.lastName}` }).click()
    await expect(window).toHaveURL(`${SERVICE()}/admin/people/${person.id}`)
  }
})
