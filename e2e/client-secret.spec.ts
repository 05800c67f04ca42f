/** The page behind the one-time link that the contacts of a client app get after an emergency rotation. */
import { expect } from '@playwright/test'
import { hash, randomBytes } from 'node:crypto'
import { insertTicket } from '../server/identity/ticket-queries.ts'
import { expectAccessible } from './expect-accessible.ts'
import { SERVICE, test } from './setup.ts'

test('shows the new secret once, after a click, and the link is not in the history', async ({
  window,
  tools,
  makeShop,
}) => {
  const { app } = await makeShop()
  const token = randomBytes(24).toString('base64url')
  const ticket = { purpose: 'client_secret', clientAppId: app.id } as const
  await tools.db.query(insertTicket(hash('sha256', token, 'buffer'), ticket, null, 60))
  const errors: string[] = []
  window.on('pageerror', (error) => errors.push(error.message))
  window.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) errors.push(message.text())
  })
  await window.goto(`${SERVICE()}/account/client-secret#${token}`)
  expect(window.url()).toBe(`${SERVICE()}/account/client-secret`)
  await expectAccessible(window)
  const show = window.getByRole('button', { name: 'Show the secret' })
  await show.click()
  await expect(window.getByRole('status')).toHaveText('Save the secret now. It is not shown again.')
  const clientSecret = await window.locator('#secret').innerText()
  expect(clientSecret).toMatch(/^coffer_sk_/)
  await expectAccessible(window)
  const query = new URLSearchParams({ clientId: app.clientId, clientSecret })
  const reference = 'referenceType=ORDER&referenceId=none'
  const response = await fetch(`${SERVICE()}/api/server/operations?${query}&${reference}`)
  expect((await response.json()).code).toBe('OPERATION_NOT_FOUND')

  await window.goto('about:blank')
  await window.goto(`${SERVICE()}/account/client-secret#${token}`)
  await show.click()
  await expect(window.getByRole('status')).toHaveText(/already been used or has expired/)
  expect(errors).toEqual([])
})
