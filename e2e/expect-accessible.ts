import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rules whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export interface Scope {
  include?: string
  exclude?: string
}

/** Axe finds nothing: with every rule in light colors, and with the rules for colors in dark ones. */
export async function expectAccessible(page: Page, scope: Scope = {}) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAxeFindsNothing(page, scope, colorScheme === 'dark' ? COLOR_RULES : undefined)
  }
}

/** Axe finds nothing in the colors that the page has now. */
export async function expectAxeFindsNothing(page: Page, scope: Scope = {}, rules?: string[]) {
  // A color can start to fade after the last animation has ended, when a button becomes enabled. A fault stays. There is
  // no time limit: on a busy machine one run can take longer than any.
  let found = await runAxe(page, scope, rules)
  for (let tries = 1; found.length > 0 && tries < 3; tries++) {
    found = await runAxe(page, scope, rules)
  }
  expect(found).toEqual([])
}

/** The violations, one line each. */
async function runAxe(page: Page, scope: Scope, rules?: string[]): Promise<string[]> {
  await finishAnimations(page)
  const axe = new AxeBuilder({ page })
  if (scope.include !== undefined) axe.include(scope.include)
  if (scope.exclude !== undefined) axe.exclude(scope.exclude)
  if (rules !== undefined) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
}

/** Axe measures the contrast of a color that is still fading in, so every animation ends first. */
async function finishAnimations(page: Page) {
  for (const frame of page.frames().filter((it) => !it.isDetached())) {
    const finish = () => {
      const running = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .filter(({ playState }) => playState !== 'finished')
      for (const animation of running) animation.finish()
      return running.length
    }
    // A transition can start when the one of its parent ends, and a frame can still load its page.
    await expect(async () => expect(await frame.evaluate(finish)).toBe(0)).toPass({
      timeout: 15_000,
    })
  }
}
