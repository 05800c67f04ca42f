/** Other languages need more space: texts that are 40 % longer fit into 360 px. */
import { expect, type Frame, type Page } from '@playwright/test'
import { ACCOUNT_STATES } from './account-states.ts'
import { findCutTexts, lengthenTexts } from './longer-texts.ts'
import { test } from './setup.ts'
import { TOPUP_STATES } from './topup-states.ts'
import { WIDGET_STATES } from './widget-states.ts'

test.describe.configure({ mode: 'parallel' })

async function expectToFit(view: Frame | Page | undefined) {
  await view?.locator('main').first().waitFor()
  await view?.evaluate(lengthenTexts)
  expect(await view?.evaluate(findCutTexts)).toEqual([])
}

async function narrow(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 900 })
}

for (const { name, open } of WIDGET_STATES) {
  test(`widget ${name}: longer texts fit`, async ({ window, makeShop, tools }) => {
    await narrow(window)
    await open({ page: window, shop: await makeShop(), tools })
    await expectToFit(window.frames()[1])
  })
}

for (const { name, open } of TOPUP_STATES) {
  test(`top-up ${name}: longer texts fit`, async ({ window, makeShop, tools }) => {
    await narrow(window)
    await open({ page: window, shop: await makeShop(), tools })
    await expectToFit(window)
  })
}

for (const { name, open } of ACCOUNT_STATES) {
  test(`account ${name}: longer texts fit`, async ({ window, tools }) => {
    await narrow(window)
    await open(window, tools)
    await expectToFit(window)
  })
}

test('a text that does not fit is found', async ({ window }) => {
  await narrow(window)
  const long = 'Unabbreviated'.repeat(6)
  await window.setContent(`<button style="width: 60px; white-space: nowrap">Log out now</button>
    <p style="overflow: hidden; width: 40px; white-space: nowrap">Disconnected</p><p>${long}</p>`)
  await window.evaluate(lengthenTexts)
  const found = await window.evaluate(findCutTexts)
  expect(found.join('\n')).toMatch(/the page is \d+ px wide/)
  for (const text of ['by button: Log', 'by p: Disconnected', 'beyond the window: Unabb']) {
    expect(found.join('\n')).toContain(text)
  }
})
