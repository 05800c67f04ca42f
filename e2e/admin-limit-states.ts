/** Credit limits that wait for a second operator, for admin-states.ts. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { insertLimit } from '../server/admin/limit-queries.ts'
import { makeClientApp } from '../server/test/factories.ts'
import { idOf } from './admin-grants-states.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin, makeOperator } from './operator.ts'
import type { Tools } from './setup.ts'

/** An app whose new limit waits, requested by its own operator; null: unlimited. */
export async function plantLimit(tools: Tools, name: string, limit: bigint | null) {
  const app = await makeClientApp(tools, { name, creditLimit: 0n })
  const { email } = await makeOperator(tools, 'operator')
  await tools.db.query(
    insertLimit({
      id: randomUUID(),
      clientAppId: app.id,
      creditLimit: limit,
      amount: limit,
      reason: 'Registration of the client app',
      needsSecond: true,
      proposerId: await idOf(tools, email),
    }),
  )
  return app
}

/** Registers an app through the page; returns its clientId. */
export async function registerUnlimited(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Unlimited').check()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The credit limit is waiting for a second operator.')).toBeVisible()
  const shown = await page.locator('main').innerText()
  return /app_[0-9a-f]{24}/.exec(shown)?.[0] ?? ''
}

export const CREDIT_LIMIT_STATES: readonly PageState[] = [
  {
    name: 'register-waiting',
    async open(page, tools) {
      await enterAdmin(page, tools, 'operator', '/client-apps/new')
      await registerUnlimited(page, 'Tea House')
    },
  },
  {
    name: 'client-app-limit-waiting',
    async open(page, tools) {
      const { clientId } = await plantLimit(tools, 'Tea House', 12_500_00n)
      await enterAdmin(page, tools, 'operator', `/client-apps/${clientId}`)
      await page.getByLabel(/^Credit limit in/).fill('50000')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('The new credit limit is waiting')).toBeVisible()
    },
  },
  {
    name: 'approvals-limits',
    async open(page, tools) {
      await plantLimit(tools, 'Tea House', 12_500_00n)
      await plantLimit(tools, 'Corner Shop', null)
      await enterAdmin(page, tools, 'operator', '/grants?search=Registration')
      await expect(page.getByText('Raises the limit by $12,500.00.').first()).toBeVisible()
      await page
        .getByRole('button', { name: /^Approve: unlimited credit/ })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
