/** On a touch screen, everything that can be pressed is at least 44 × 44 px, except links in sentences (WCAG 2.5.5). */
import { expect, type Frame, type Page } from '@playwright/test'
import { ACCOUNT_STATES } from './account-states.ts'
import { ADMIN_STATES } from './admin-states.ts'
import { test as base } from './setup.ts'
import { TOPUP_STATES } from './topup-states.ts'
import { WIDGET_STATES } from './widget-states.ts'

const test = base.extend({
  browserContext: async ({ browser }, use) => {
    const viewport = { width: 360, height: 800 }
    const context = await browser.newContext({ viewport, hasTouch: true, reducedMotion: 'reduce' })
    await use(context)
    await context.close()
  },
})
test.describe.configure({ mode: 'parallel' })

/** The targets that are too small, with the size of the area in which a press reaches them. */
function findSmallTargets(): string[] {
  const SIZE = 44
  // In each direction, up to half a pixel is not measured.
  const TOLERANCE = 1
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
  const FLOW = 'p, li, dd, td, th, div, label'

  const reaches = (element: Element, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element)
  }
  /** How far a press reaches the element from here in one direction. */
  const reach = (element: Element, x: number, y: number, stepX: number, stepY: number) => {
    let far = 0
    while (far <= 2 * SIZE && reaches(element, x + stepX * (far + 0.5), y + stepY * (far + 0.5)))
      far += 0.5
    return far
  }
  const isInSentence = (element: Element) => {
    if (getComputedStyle(element).display !== 'inline') return false
    const block = element.parentElement?.closest(FLOW)
    const links = [...(block?.querySelectorAll('a, button') ?? [])]
    const own = links.reduce((sum, { textContent }) => sum + (textContent ?? '').trim().length, 0)
    return (block?.textContent ?? '').replaceAll(/\s+/g, ' ').trim().length > own + 2
  }
  const isOffered = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.matches(':disabled, [aria-disabled=true], [inert] *') &&
    getComputedStyle(element).clipPath === 'none'

  const dialogs = document.querySelectorAll('dialog[open]')
  const root = dialogs[dialogs.length - 1] ?? document
  return [...root.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter((element) => isOffered(element) && !isInSentence(element))
    .flatMap((element) => {
      const isMark = element.matches('input[type=checkbox], input[type=radio]')
      // The label of a mark is a part of its target.
      const shown = (isMark && (element as HTMLInputElement).labels?.[0]) || element
      shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const box = shown.getClientRects()[0] ?? shown.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const width = reach(element, x, y, -1, 0) + reach(element, x, y, 1, 0)
      const height = reach(element, x, y, 0, -1) + reach(element, x, y, 0, 1)
      if (Math.min(width, height) >= SIZE - TOLERANCE) return []
      const name =
        element.getAttribute('aria-label') ||
        shown.textContent?.trim() ||
        element.getAttribute('name')
      return [`${element.tagName.toLowerCase()} “${name}”: ${width} × ${height}`]
    })
}

async function expectLargeTargets(frame: Frame | Page | undefined) {
  if (frame === undefined) throw new Error('The widget has no frame.')
  expect(await frame.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
  await expect.poll(() => frame.evaluate(findSmallTargets)).toEqual([])
}

for (const { name, open } of WIDGET_STATES) {
  test(`widget ${name}`, async ({ window, makeShop, tools }) => {
    await open({ page: window, shop: await makeShop(), tools })
    await expectLargeTargets(window.frames()[1])
  })
}

for (const { name, open } of TOPUP_STATES) {
  test(`top-up ${name}`, async ({ window, makeShop, tools }) => {
    await open({ page: window, shop: await makeShop(), tools })
    await expectLargeTargets(window)
  })
}

for (const [area, states] of [
  ['account', ACCOUNT_STATES],
  ['admin', ADMIN_STATES],
] as const) {
  for (const { name, open } of states) {
    test(`${area} ${name}`, async ({ window, tools }) => {
      await open(window, tools)
      await expectLargeTargets(window)
    })
  }
}
