import { expect } from '@playwright/test'
import { openEvents } from './admin-event-states.ts'
import { test } from './setup.ts'

test('a viewer sees the events of an app, newest first, and filters them by type', async ({
  window,
  tools,
}) => {
  await openEvents(window, tools)
  const table = window.getByRole('table', { name: 'Events' })
  const types = table.locator('td:first-of-type > code')
  const all = ['link.ended', 'client_app.changed', 'balance.changed', 'link.created']
  await expect(types).toHaveText(all)
  await window.getByLabel('Type').selectOption('balance.changed')
  await expect(types).toHaveText(['balance.changed'])
  await table.getByRole('button', { expanded: false }).click()
  await expect(table.getByText('"balance": 42.5')).toBeVisible()
  await window.getByLabel('Type').selectOption('wallet.frozen')
  await expect(table).toBeHidden()
})
