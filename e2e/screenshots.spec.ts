/** Pictures of every state, to be looked at: `npm run screenshots` writes them into screenshots/. */
import { ACCOUNT_STATES } from './account-states.ts'
import { test } from './stage.ts'
import { TOPUP_STATES } from './topup-states.ts'
import { WIDGET_STATES } from './widget-states.ts'

for (const state of WIDGET_STATES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${state.name} ${colorScheme}`, async ({ window, makeShop, tools }) => {
      await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await state.open({ page: window, shop: await makeShop(), tools })
      for (const width of [360, 420]) {
        await window.setViewportSize({ width, height: 900 })
        // The frame is laid out in a process of its own.
        await window.waitForTimeout(200)
        const name = `${state.name}-${colorScheme}-${width}`
        await window.screenshot({ path: `../screenshots/widget/${name}.png` })
      }
    })
  }
}

for (const state of TOPUP_STATES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`topup ${state.name} ${colorScheme}`, async ({ window, makeShop, tools }) => {
      await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await state.open({ page: window, shop: await makeShop(), tools })
      for (const width of [360, 420]) {
        await window.setViewportSize({ width, height: 900 })
        await window.waitForTimeout(200)
        const name = `${state.name}-${colorScheme}-${width}`
        await window.screenshot({ path: `../screenshots/topup/${name}.png` })
      }
    })
  }
}

for (const state of ACCOUNT_STATES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`account ${state.name} ${colorScheme}`, async ({ window, tools }) => {
      await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await state.open(window, tools)
      for (const width of [360, 1280]) {
        await window.setViewportSize({ width, height: 900 })
        await window.waitForTimeout(200)
        const name = `${state.name}-${colorScheme}-${width}`
        await window.screenshot({ path: `../screenshots/account/${name}.png` })
      }
    })
  }
}
