import { expect, test } from '@playwright/test'

test('the API reference shows every endpoint and loads nothing from other sites', async ({
  page,
}) => {
  const base = process.env['SERVICE_URL'] ?? ''
  const foreign: string[] = []
  const violations: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  await page.goto(`${base}/docs/api/`)
  for (const summary of ['Read a wallet', 'Debit a wallet', 'Look an operation up']) {
    await expect(page.getByRole('link', { name: summary }).first()).toBeVisible()
  }
  await page.getByRole('link', { name: 'Debit a wallet' }).first().click()
  await expect(page.getByText('Idempotency-Mismatch').first()).toBeVisible()
  await page.waitForTimeout(2_000)
  expect(foreign).toEqual([])
  expect(violations).toEqual([])
  await page.screenshot({ path: 'test-results/docs.png' })
})
