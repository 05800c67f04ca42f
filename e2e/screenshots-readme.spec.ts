/** The pictures of the README: `npm run screenshots` writes them into docs/pictures/, which is committed. */
import type { Locator, Page } from '@playwright/test'
import { ADMIN_STATES } from './admin-states.ts'
import { test } from './setup.ts'
import { WIDGET_STATES } from './widget-states.ts'

async function takeBoth(page: Page, name: string, area: Page | Locator) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The browser lays out a frame in a separate process, and charts are drawn again in the new colors.
    await page.waitForTimeout(500)
    await area.screenshot({ path: `../docs/pictures/${name}-${colorScheme}.png` })
  }
}

function findState<State extends { name: string }>(states: readonly State[], name: string): State {
  const state = states.find((each) => each.name === name)
  if (state === undefined) throw new Error(`There is no state ${name}`)
  return state
}

test('README: the widget', async ({ window, makeShop, tools }) => {
  const shop = await makeShop({ name: 'Bean & Leaf' })
  await findState(WIDGET_STATES, 'wallet').open({ page: window, shop, tools })
  await window.setViewportSize({ width: 420, height: 830 })
  const frame = window.locator('iframe')
  await frame.evaluate((element) => (element.style.height = '830px'))
  await takeBoth(window, 'widget', frame)
})

test('README: the admin overview', async ({ window, tools }) => {
  await window.setViewportSize({ width: 1280, height: 760 })
  // The tests' operators have long generated addresses.
  await window.route('**/api/admin/sign-in/operator', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), email: 'ada@example.com' },
    })
  })
  await findState(ADMIN_STATES, 'overview').open(window, tools)
  await takeBoth(window, 'admin-overview', window)
})
