import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test, type Tools } from './setup.ts'

interface Shop {
  app: TestApp
  serviceUserId: string
}

async function makeShop(tools: Tools, name: string): Promise<Shop> {
  const app = await makeClientApp(tools, { name })
  const { serviceUserId } = await makeLinkedUser(tools, app, 100_00n)
  return { app, serviceUserId }
}

async function debit({ app, serviceUserId }: Shop) {
  const { clientId, clientSecret } = app
  const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
  const response = await fetch(`${SERVICE()}/api/server/wallet/debit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, serviceUserId, amount: 1, ...pair }),
  })
  return [response.status, response.headers.get('retry-after')]
}

async function readBalance({ app, serviceUserId }: Shop): Promise<number> {
  const { clientId, clientSecret } = app
  const query = new URLSearchParams({ clientId, clientSecret, serviceUserId })
  return (await fetch(`${SERVICE()}/api/server/wallet?${query}`)).status
}

test('an owner pauses all writes and resumes them', async ({ window, tools }) => {
  const shop = await makeShop(tools, 'Busy shop')
  await enterAdmin(window, tools, 'owner', '/switches')
  await expect(window.getByText('Writes are on')).toBeVisible()
  await window.getByRole('button', { name: 'Pause all writes' }).click()
  const dialog = window.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Pause all writes' }).click()
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await dialog.getByLabel('Reason').fill('Maintenance of the database')
  await dialog.getByRole('button', { name: 'Pause all writes' }).click()
  await expect(window.getByText('Maintenance of the database')).toBeVisible()
  expect(await debit(shop)).toEqual([503, '30'])
  expect(await readBalance(shop)).toBe(200)

  await window.getByRole('button', { name: 'Menu' }).click()
  await window.getByRole('link', { name: 'Client apps' }).first().click()
  await expect(window.getByText('All writes are paused.')).toBeVisible()
  await window.getByRole('link', { name: 'See why' }).click()
  await window.getByRole('button', { name: 'Resume all writes' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Resume all writes' }).click()
  await expect(window.getByText('Writes resumed.')).toBeFocused()
  expect(await debit(shop)).toEqual([200, null])
  await window.getByRole('button', { name: 'Menu' }).click()
  await window.getByRole('link', { name: 'Audit log' }).click()
  await expect(window.getByText('writes.pause').first()).toBeVisible()
  await expect(window.getByText('All writes are paused.')).toHaveCount(0)
})

test('an operator pauses one app on its page and resumes it on the switches page', async ({
  window,
  tools,
}) => {
  const name = `Odd shop ${Date.now()}`
  const [shop, neighbour] = [await makeShop(tools, name), await makeShop(tools, 'Neighbour')]
  const { clientId } = shop.app
  await enterAdmin(window, tools, 'operator', `/client-apps/${clientId}`)
  await window.getByRole('button', { name: 'Pause writes' }).click()
  await window.getByLabel('Reason').fill('It debits twice')
  await window.getByRole('dialog').getByRole('button', { name: 'Pause writes' }).click()
  await expect(window.getByText('It debits twice')).toBeVisible()
  await expect.poll(() => debit(shop)).toEqual([503, '30'])
  expect(await debit(neighbour)).toEqual([200, null])
  expect(await readBalance(shop)).toBe(200)

  await window.getByRole('button', { name: 'Menu' }).click()
  await window.getByRole('link', { name: 'Switches' }).click()
  await expect(window.getByText('Only an owner can pause and resume all writes.')).toBeVisible()
  await window.getByRole('button', { name: `Resume writes: ${name}` }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Resume writes' }).click()
  await expect(window.getByText(`Writes of ${name} resumed.`)).toBeFocused()
  await expect.poll(() => debit(shop)).toEqual([200, null])
})

test('an app whose parent page another app now uses is activated only after a second confirmation', async ({
  window,
  tools,
}) => {
  const parents = { allowedIframeParents: [`https://taken-${Date.now()}.example`] }
  const { clientId } = await makeClientApp(tools, { name: 'Old shop', ...parents })
  await activateClientApp(tools.db, clientId, false)
  await makeClientApp(tools, { name: 'New shop', ...parents })
  await enterAdmin(window, tools, 'operator', `/client-apps/${clientId}`)
  await window.getByRole('button', { name: 'Activate' }).click()
  const dialog = window.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(dialog.getByText(/Another active client app already lists/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Share it between both apps' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(window.getByText('Active', { exact: true }).first()).toBeVisible()
})

test('a viewer sees the switches but cannot use them', async ({ window, tools }) => {
  await enterAdmin(window, tools, 'viewer', '/switches')
  await expect(window.getByRole('heading', { name: 'Keys', exact: true })).toBeVisible()
  await expect(window.getByText('Newest').first()).toBeVisible()
  await expect(window.getByRole('button', { name: /Pause|Resume/ })).toHaveCount(0)
})
