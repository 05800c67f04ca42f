import { expect, test, type Page } from '@playwright/test'

const base = () => process.env['SERVICE_URL'] ?? ''

/** Collects requests to other origins and violations of the content security policy. */
function watch(page: Page) {
  const problems: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base()) && !/^(data|blob):/.test(url)) problems.push(url)
  })
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text())
  })
  return problems
}

test('the API reference shows every endpoint and makes no request to another origin', async ({
  page,
}) => {
  const problems = watch(page)
  await page.goto(`${base()}/docs/api/`)
  for (const summary of ['Read a wallet', 'Debit a wallet', 'Look up an operation']) {
    await expect(page.getByRole('link', { name: summary }).first()).toBeVisible()
  }
  await page.getByRole('link', { name: 'Debit a wallet' }).first().click()
  await expect(page.getByText('Idempotency-Mismatch').first()).toBeVisible()
  // The example is the last part that the page adds.
  await expect(page.getByText('/api/server/wallet/debit').last()).toBeVisible()
  expect(problems).toEqual([])
  await page.screenshot({ path: 'test-results/docs.png' })
  await page.getByRole('link', { name: 'Coffer documentation' }).click()
  await expect(page).toHaveURL(`${base()}/docs`)
})

test('an error leads to its endpoints, and the search finds an endpoint', async ({ page }) => {
  await page.goto(`${base()}/docs/errors/INSUFFICIENT_BALANCE`)
  await expect(page.getByText("isCofferError(error, 'INSUFFICIENT_BALANCE')")).toBeVisible()
  await expect(page.getByText('/api/admin')).toHaveCount(0)
  await page.getByRole('link', { name: 'POST /api/server/wallet/debit' }).click()
  await expect(page.getByRole('heading', { name: 'Debit a wallet' }).first()).toBeInViewport()
  await page.goto(`${base()}/docs`)
  await page.getByRole('searchbox').fill('check a balance')
  await page
    .getByRole('link', { name: /^Check a balance/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/docs\/api\/#tag\/server-api\/GET/)
})

test('the list of errors keeps codes whole and fits a narrow screen', async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${base()}/docs/errors`)
    const code = page.getByRole('link', { name: 'INSUFFICIENT_BALANCE', exact: true })
    const box = await code.last().boundingBox()
    expect(box?.height).toBeLessThan(30)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.screenshot({ path: `test-results/docs-errors-${width}.png` })
  }
})

test('a button copies a code block', async ({ page }) => {
  await page.goto(`${base()}/docs/integration`)
  const figure = page.locator('figure.code').first()
  await figure.getByRole('button', { name: 'Copy' }).click()
  await expect(figure.getByRole('button', { name: 'Copied' })).toBeVisible()
  const [line = ''] = (await figure.locator('code').innerText()).split('\n')
  const field = page.getByRole('searchbox')
  await field.focus()
  await page.keyboard.press('ControlOrMeta+V')
  expect((await field.inputValue()).slice(0, line.length)).toBe(line.slice(0, 100))
})

test('the search finds a page with the keyboard alone', async ({ page }) => {
  const problems = watch(page)
  await page.goto(`${base()}/docs`)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search the documentation' })).toBeFocused()
  await page.keyboard.type('insufficient_bal')
  await expect(page.getByRole('search').getByRole('status')).toContainText(/result/)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /^INSUFFICIENT_BALANCE/ }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${base()}/docs/errors/INSUFFICIENT_BALANCE`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('INSUFFICIENT_BALANCE')
  expect(problems).toEqual([])
})

test('the search finds words in the text, reports when there are none, and closes with Escape', async ({
  page,
}) => {
  await page.goto(`${base()}/docs/integration`)
  const results = page.getByRole('search').getByRole('listitem')
  await page.getByRole('searchbox').fill('zzzzzz')
  await expect(page.getByText('No results for “zzzzzz”')).toBeVisible()
  await expect(results).toHaveCount(0)
  await page.getByRole('searchbox').fill('embed wallet')
  await expect(results.first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(results.first()).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`the search fits a ${colorScheme} screen of ${width} pixels`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${base()}/docs/integration`)
      await page.getByRole('searchbox').fill('widget session')
      const result = page.getByRole('search').getByRole('link').first()
      await expect(result).toBeVisible()
      const box = await result.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await page.screenshot({ path: `test-results/docs-search-${width}-${colorScheme}.png` })
    })
  }
}
