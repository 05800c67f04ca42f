/** Restricted secrets of a client app, for admin-states.ts. */
import { expect, type Page } from '@playwright/test'
import { rotateSecret } from '../server/client-app/rotate-secret.ts'
import { makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import type { Tools } from './setup.ts'

async function openSecrets(page: Page, tools: Tools) {
  const { clientId } = await makeClientApp(tools, { name: 'Tea House' })
  const service = { db: tools.db, peppers: tools.config.peppers }
  const networks = ['203.0.113.0/24', '2001:db8:1::/48']
  const restrictions = [
    { name: 'refunds', scopes: ['wallet:refund' as const], networks },
    { name: 'reports', scopes: ['wallet:read' as const], networks: [] },
  ]
  for (const restriction of restrictions) {
    await rotateSecret(service, clientId, { overlap: '24h', restriction })
  }
  await enterAdmin(page, tools, 'operator', `/client-apps/${clientId}?tab=secrets`)
  await expect(page.getByText(/^refunds: refund/)).toBeVisible()
}

async function openDialog(page: Page, tools: Tools) {
  await openSecrets(page, tools)
  await page.getByRole('button', { name: 'New restricted secret' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export const SECRET_STATES: readonly PageState[] = [
  { name: 'secrets-restricted', open: openSecrets },
  { name: 'restrict', open: openDialog },
  {
    name: 'restrict-wrong',
    async open(page, tools) {
      await openDialog(page, tools)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('refunds')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByText(/A secret with this name exists/)).toBeVisible()
    },
  },
  {
    name: 'restrict-network-wrong',
    async open(page, tools) {
      await openDialog(page, tools)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('orders')
      await dialog.getByLabel('wallet:debit').check()
      await dialog.getByLabel('Networks').fill('203.0.113.9')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByLabel('Networks')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'restrict-done',
    async open(page, tools) {
      await openDialog(page, tools)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('orders')
      await dialog.getByLabel('wallet:debit').check()
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByText(/^coffer_sk_/).first()).toBeVisible()
    },
  },
]
