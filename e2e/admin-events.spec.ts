import { expect } from '@playwright/test'
import { EVENT_STATES, openEvents } from './admin-event-states.ts'
import { expectAccessible } from './expect-accessible.ts'
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

for (const { name, open } of EVENT_STATES) {
  test(`${name}: axe finds nothing, 360 px are enough`, async ({ window, tools }) => {
    await window.setViewportSize({ width: 360, height: 900 })
    await open(window, tools)
    await expectAccessible(window)
    const overflow = await window.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(overflow).toBe(0)
  })
}
