/** Paused writes and keys, for admin-states.ts. */
import { expect } from '@playwright/test'
import { setAppPause } from '../server/admin/app-pause-queries.ts'
import { makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import type { Tools } from './setup.ts'

const PAUSE = { by: 'olga.owner@example.com', reason: 'Restoring a backup, ticket 4711.' }

async function makePausedApp(tools: Tools, name = 'Tea House & Bakery') {
  const app = await makeClientApp(tools, { name, creditLimit: 1_000_00n })
  const reason = 'It debits each order twice; its team is mending it.'
  await tools.db.query(setAppPause(app.clientId, { ...PAUSE, reason }))
  return app
}

/** One secret depends on a missing pepper. */
async function makeOldSecret(tools: Tools) {
  const { id } = await makeClientApp(tools, { name: 'Flower Stall' })
  await tools.admin.query(
    `update directory.client_secrets set pepper_id = '2025-a' where client_app_id = $1`,
    [id],
  )
}

export const SWITCH_STATES: readonly PageState[] = [
  {
    name: 'switches',
    async open(page, tools) {
      await makePausedApp(tools)
      await makeOldSecret(tools)
      await enterAdmin(page, tools, 'owner', '/switches')
      await expect(page.getByRole('heading', { level: 1, name: 'Switches' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Tea House & Bakery' }).first()).toBeVisible()
      await expect(page.getByText('Missing')).toBeVisible()
    },
  },
  {
    name: 'switches-paused',
    async open(page, tools) {
      await tools.ledger.setPause(PAUSE)
      await enterAdmin(page, tools, 'viewer', '/switches')
      await expect(page.getByText(PAUSE.reason)).toBeVisible()
    },
  },
  {
    name: 'switches-dialog',
    async open(page, tools) {
      await enterAdmin(page, tools, 'owner', '/switches')
      await page.getByRole('button', { name: 'Pause all writes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Pause all writes' }).click()
      await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'client-app-paused',
    async open(page, tools) {
      const { clientId } = await makePausedApp(tools)
      await enterAdmin(page, tools, 'operator', `/client-apps/${clientId}`)
      await expect(page.getByText('Writes of this app are paused.')).toBeVisible()
    },
  },
  {
    name: 'client-apps-paused',
    async open(page, tools) {
      await makePausedApp(tools)
      await tools.ledger.setPause(PAUSE)
      await enterAdmin(page, tools, 'owner', '/client-apps?state=paused')
      await expect(page.getByText('All writes are paused.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Tea House & Bakery' }).first()).toBeVisible()
    },
  },
  {
    name: 'client-app-pause-dialog',
    async open(page, tools) {
      const { clientId } = await makeClientApp(tools, { name: 'Corner Shop' })
      await enterAdmin(page, tools, 'operator', `/client-apps/${clientId}`)
      await page.getByRole('button', { name: 'Pause writes' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
