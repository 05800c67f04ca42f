/** Two operators, each in their own browser, change a client app that is in use. */
import { expect } from '@playwright/test'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { expectAccessible } from './expect-accessible.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test, type Tools } from './setup.ts'

async function makeUsedApp(tools: Tools, name: string) {
  const contactEmails = ['dev@shop.example']
  const app = await makeClientApp(tools, { name, contactEmails, creditLimit: 100_00n })
  await makeLinkedUser(tools, app)
  return app
}

test('a new origin and a new secret of an app in use wait for a second operator', async ({
  window,
  browser,
  tools,
}) => {
  const name = `Used ${Date.now()}`
  const { clientId } = await makeUsedApp(tools, name)
  const origin = `https://shop${Date.now()}.example`
  await enterAdmin(window, tools, 'operator', `/client-apps/${clientId}`)
  await expect(window.getByText('This app is in use.')).toBeVisible()
  await window.getByLabel('Add to allowed iframe parents').fill(origin)
  await window.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText(/Part of your changes is waiting/)).toBeVisible()
  // What waits is not shown as if it were saved.
  await expect(window.getByRole('button', { name: `Remove ${origin}` })).toHaveCount(0)
  await expectAccessible(window)

  await window.goto(`${SERVICE()}/admin/client-apps/${clientId}?tab=secrets`)
  const rotate = async () => {
    await window.getByRole('button', { name: 'Rotate secret' }).click()
    await window.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  }
  await rotate()
  const dialog = window.getByRole('dialog')
  await expect(dialog.getByText(/rotate the secret here again within 24 hours/)).toBeVisible()
  await expectAccessible(window)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const context = await browser.newContext()
  const second = await context.newPage()
  await enterAdmin(second, tools, 'operator', `/grants?search=${encodeURIComponent(name)}`)
  const approve = second.getByRole('button', { name: `Approve: a change of the app, ${name}` })
  await expect(second.getByText(`New iframe parent: ${origin}`)).toBeVisible()
  await expect(second.getByText(/^A new secret, which the operator/)).toBeVisible()
  await expectAccessible(second)
  for (const left of [1, 0]) {
    await approve.first().click()
    const question = second.getByRole('dialog')
    await expect(question.getByRole('heading', { name: /^Approve this change of/ })).toBeVisible()
    await question.getByRole('button', { name: 'Approve' }).click()
    await expect(approve).toHaveCount(left)
  }
  await context.close()

  await rotate()
  await expect(dialog.getByText(/^coffer_sk_/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await window.goto(`${SERVICE()}/admin/client-apps/${clientId}`)
  await expect(window.getByRole('button', { name: `Remove ${origin}` })).toBeVisible()
})

test('a leaked secret is replaced only if a contact can receive the new one', async ({
  window,
  tools,
}) => {
  const { clientId } = await makeUsedApp(tools, `Leaked ${Date.now()}`)
  await enterAdmin(window, tools, 'operator', `/client-apps/${clientId}?tab=secrets`)
  await window.getByRole('button', { name: 'Replace now' }).click()
  const dialog = window.getByRole('dialog')
  await expect(dialog.getByText('The link goes to dev@shop.example.')).toBeVisible()
  await expectAccessible(window)
  // The service of the browser tests has no mail server.
  await dialog.getByRole('button', { name: 'Replace now' }).click()
  await expect(dialog.getByText(/Nobody can receive the new secret/)).toBeVisible()
})
