import { expect } from '@playwright/test'
import { hasSignature, openReceiver } from '../server/test/events/webhook-receiver.ts'
import { addEvents } from '../server/test/events/webhook-setup.ts'
import { makeClientApp } from '../server/test/factories.ts'
import { enterAdmin } from './operator.ts'
import { test } from './setup.ts'

test('an operator creates a webhook, tests it, sees deliveries and sends one again', async ({
  window,
  tools,
}) => {
  const receiver = await openReceiver()
  const app = await makeClientApp(tools, { name: 'Tea House' })
  await enterAdmin(window, tools, 'operator', `/client-apps/${app.clientId}`)
  await window.getByRole('link', { name: 'Webhooks' }).click()
  await window.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = window.getByRole('dialog')
  await dialog.getByLabel('URL').fill('https://127.0.0.2:25/')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText(/^The URL must have the port 443/)).toBeVisible()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const secret = await dialog.getByText(/^whsec_/).innerText()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await expect(window.getByText(`Events are sent to ${receiver.url} from now on.`)).toBeVisible()

  await window.getByRole('link', { name: `Deliveries to ${receiver.url}` }).click()
  await window.getByRole('button', { name: 'Send a test event' }).click()
  await expect(dialog.getByText(/^The receiver responded with 200/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['ping'])

  receiver.respond = (response) => response.writeHead(500).end('not today')
  await addEvents(tools, app, 1)
  await receiver.untilReceived(2)
  await window.reload()
  const table = window.getByRole('table', { name: 'Deliveries' })
  await expect(table.getByText('Waiting')).toBeVisible()
  await table.getByRole('button', { expanded: false }).click()
  await expect(table.getByText('not today')).toBeVisible()
  receiver.respond = (response) => response.end()
  await table.getByRole('button', { name: 'Send again' }).click()
  await receiver.untilReceived(3)
  const last = receiver.received.at(-1)
  expect(last && hasSignature(last, secret)).toBe(true)
  await expect(async () => {
    await window.reload()
    await expect(table.getByText('Delivered')).toBeVisible({ timeout: 1_000 })
  }).toPass()

  await window.getByRole('button', { name: 'Change webhook' }).click()
  await dialog.getByLabel('Switched on').uncheck()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(window.getByText('It gets no events until it is switched on.')).toBeVisible()
  await window.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(window.getByText('The webhook is deleted.')).toBeVisible()
  await expect(window.getByText('No webhooks yet')).toBeVisible()
  receiver.close()
})
