/** Screenshots of every state: `npm run screenshots` writes them into screenshots/. */
import type { Page } from '@playwright/test'
import { ACCOUNT_STATES } from './account-states.ts'
import { ADMIN_STATES } from './admin-states.ts'
import { test } from './setup.ts'
import { TOPUP_STATES } from './topup-states.ts'
import { WIDGET_STATES } from './widget-states.ts'

async function takePictures(page: Page, path: string, widths: readonly number[]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      // A frame is laid out in a separate process.
      await page.waitForTimeout(200)
      await page.screenshot({ path: `../screenshots/${path}-${colorScheme}-${width}.png` })
    }
  }
}

for (const [folder, states] of [
  ['widget', WIDGET_STATES],
  ['topup', TOPUP_STATES],
] as const) {
  for (const { name, open } of states) {
    test(`${folder} ${name}`, async ({ window, makeShop, tools }) => {
      await open({ page: window, shop: await makeShop(), tools })
      await takePictures(window, `${folder}/${name}`, [360, 420])
    })
  }
}

for (const [folder, states, widths] of [
  ['account', ACCOUNT_STATES, [360, 1280]],
  ['admin', ADMIN_STATES, [360, 768, 1280]],
] as const) {
  for (const { name, open } of states) {
    test(`${folder} ${name}`, async ({ window, tools }) => {
      await open(window, tools)
      await takePictures(window, `${folder}/${name}`, widths)
    })
  }
}
