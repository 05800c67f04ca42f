import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectAxeFindsNothing } from './expect-accessible.ts'
import { newPerson, test, typesOf, widgetIn } from './setup.ts'
import { TOPUP_STATES } from './topup-states.ts'
import { WIDGET_STATES } from './widget-states.ts'

test.describe.configure({ mode: 'parallel' })

/** No content of the frame extends beyond its right edge. */
async function expectNoSideScroll(page: Page) {
  const frame = page.frames()[1]
  const overflow = await frame?.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(overflow).toBe(0)
}

/** Twice the text size, as people set it in their browser. */
function setTextSize(size: string) {
  document.documentElement.style.fontSize = size
}

for (const state of WIDGET_STATES) {
  test(`${state.name}: axe finds nothing, 360 px are enough`, async ({
    window,
    makeShop,
    tools,
  }) => {
    await window.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await window.setViewportSize({ width: 360, height: 900 })
    await state.open({ page: window, shop: await makeShop(), tools })
    await expectAccessible(window, { isFrame: true })
    await expectNoSideScroll(window)
    await window.frames()[1]?.evaluate(setTextSize, '200%')
    await expectNoSideScroll(window)
  })
}

for (const state of TOPUP_STATES) {
  test(`top-up ${state.name}: axe finds nothing, 360 px are enough`, async ({
    window,
    makeShop,
    tools,
  }) => {
    await window.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await window.setViewportSize({ width: 360, height: 900 })
    await state.open({ page: window, shop: await makeShop(), tools })
    const isWide = () => document.documentElement.scrollWidth > innerWidth
    await expectAccessible(window)
    expect(await window.evaluate(isWide)).toBe(false)
    await window.evaluate(setTextSize, '200%')
    expect(await window.evaluate(isWide)).toBe(false)
  })
}

test('sign-up, wallet and switching accounts by keyboard alone', async ({ window, makeShop }) => {
  const shop = await makeShop()
  const person = newPerson()
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
  await tabTo(window, 'Create an account')
  await window.keyboard.press('Enter')
  await expect(widget.getByRole('heading', { name: 'Create your wallet' })).toBeVisible()
  for (const [label, text] of [
    ['First name', person.firstName],
    ['Last name', person.lastName],
    ['Email', person.email],
    ['Password', person.password],
  ] as const) {
    await tabTo(window, label)
    await window.keyboard.type(text)
  }
  await window.keyboard.press('Enter')
  await expect(widget.getByText(`Hello, ${person.firstName}`)).toBeVisible()
  await tabTo(window, 'Add money')
  await window.keyboard.press('Enter')
  await expect.poll(() => typesOf(window)).toContain('SERVICE_OPEN_TOPUP')
  await tabTo(window, 'Not you? Switch account')
  await window.keyboard.press('Space')
  await expect(widget.getByText('You log out of this wallet')).toBeFocused()
  await tabTo(window, 'Switch account')
  await window.keyboard.press('Space')
  await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
})

test('axe finds a field without a name, and a color that is too pale in dark only', async ({
  window,
  makeShop,
}) => {
  await window.goto((await makeShop()).origin)
  const email = widgetIn(window).getByLabel('Email')
  await expect(email).toBeVisible()
  await expectAccessible(window, { isFrame: true })
  // The page's policy allows no style element.
  await email.evaluate(() => {
    const pale = new CSSStyleSheet()
    pale.replaceSync('@media (prefers-color-scheme: dark) { h1 { color: #333 !important } }')
    document.adoptedStyleSheets.push(pale)
  })
  await expect(expectAccessible(window, { isFrame: true })).rejects.toThrow('color-contrast')
  await window.emulateMedia({ colorScheme: 'light' })
  await email.evaluate((field: HTMLInputElement) => {
    for (const label of field.labels ?? []) label.remove()
  })
  await expect(expectAxeFindsNothing(window, { isFrame: true })).rejects.toThrow('label')
})

test('an error moves the focus to its field', async ({ window, makeShop }) => {
  const shop = await makeShop()
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await widget.getByRole('button', { name: 'Create an account' }).click()
  await widget.getByLabel('First name').fill('Ada')
  await widget.getByRole('button', { name: 'Create account' }).click()
  await expect(widget.getByLabel('Last name')).toBeFocused()
  await expect(widget.getByLabel('Last name')).toHaveAttribute('aria-invalid', 'true')
})

/** Presses Tab until the focused element has this name; every element on the way must show its focus. */
async function tabTo(page: Page, name: string) {
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press('Tab')
    const focused = await page.frames()[1]?.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body) return undefined
      const labels = (element as HTMLInputElement).labels
      const style = getComputedStyle(element)
      const isMarked = style.outlineStyle !== 'none' || style.boxShadow !== 'none'
      return {
        name: (labels?.[0] ?? element).textContent?.trim() ?? '',
        isMarked: isMarked && element.matches(':focus-visible'),
      }
    })
    if (focused === undefined) continue
    expect(focused).toEqual({ name: focused.name, isMarked: true })
    if (focused.name.startsWith(name)) return
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}
