import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

/** The rules whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export interface Part {
  /** The document in the page's frame instead of the page itself. */
  isFrame?: boolean
  /** A selector. */
  within?: string
}

/** Axe finds nothing: with every rule in light colors, and with the rules for colors in dark ones. */
export async function expectAccessible(page: Page, part: Part = {}) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAxeFindsNothing(page, part, colorScheme === 'dark' ? COLOR_RULES : undefined)
  }
}

/** Axe finds nothing in the colors that the page has now. */
export async function expectAxeFindsNothing(page: Page, part: Part = {}, rules?: string[]) {
  // A color can start to fade after the last animation has ended, when a button becomes enabled, so a finding counts
  // only if it stays. There is no time limit: on a busy machine one run can take longer than any.
  let found = await runAxe(page, part, rules)
  for (let tries = 1; found.length > 0 && tries < 3; tries++) {
    found = await runAxe(page, part, rules)
  }
  expect(found).toEqual([])
}

/**
 * The violations, one line each. Axe runs in one document only and not in the frames inside: the card form is the
 * processor's, and running in all of them needs twice the time.
 */
async function runAxe(page: Page, part: Part, rules?: string[]): Promise<string[]> {
  await finishAnimations(page)
  const frame = part.isFrame ? page.frames()[1] : page.mainFrame()
  if (!frame) throw new Error('The page has no frame.')
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  const options: axe.RunOptions = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const { violations } = await frame.evaluate(
    ([within, settings]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      return inPage.run(within, settings)
    },
    [part.within ?? ':root', options] as const,
  )
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
