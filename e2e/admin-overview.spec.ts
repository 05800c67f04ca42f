import { expect } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { makeBusyApp } from './admin-overview-states.ts'
import { enterAdmin } from './operator.ts'
import { makeFigures } from './overview-figures.ts'
import { SERVICE, test } from './setup.ts'

test('the overview is the first page; the period is in the URL, and reload and back keep it', async ({
  window,
  tools,
}) => {
  const errors: string[] = []
  window.on('pageerror', (error) => errors.push(String(error)))
  window.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) errors.push(message.text())
  })
  await window.setViewportSize({ width: 1280, height: 900 })
  const { clientId } = await makeBusyApp(tools)
  await enterAdmin(window, tools, 'viewer')
  await expect(window.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  const row = window.getByRole('row', { name: /Busy Shop/ }).first()
  await expect(row).toContainText('$25.00')
  await expect(row).toContainText('$21.00')
  await expect(window.locator('canvas')).toHaveCount(3)

  await window.getByRole('link', { name: '24 hours' }).click()
  await expect(window).toHaveURL(/\/admin\?period=24h$/)
  await window.reload()
  await expect(window.getByRole('link', { name: '24 hours' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await window.goBack()
  await expect(window.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page')

  await window.getByRole('button', { name: 'Show as table Volume' }).press('Enter')
  const table = window.getByRole('table', { name: 'Volume' })
  await expect(table.getByRole('row')).toHaveCount(1 + 7)
  await expect(table.getByRole('row').nth(1)).toContainText('$')

  await row.getByRole('link', { name: /^View/ }).click()
  await expect(window).toHaveURL(new RegExp(`/admin/client-apps/${clientId}\\?tab=statement&from=`))
  await expect(window.getByText('Closing balance')).toBeVisible()
  expect(errors).toEqual([])
})

test('what waits leads to where it is done, and figures show their change', async ({
  window,
  tools,
}) => {
  await window.route('**/api/admin/overview*', (route) => route.fulfill({ json: makeFigures(7) }))
  await enterAdmin(window, tools, 'viewer')
  const todo = window.getByRole('region', { name: 'To do' })
  for (const [name, path] of [
    ['2 approvals are waiting', '/admin/grants'],
    ['1 dispute needs a response', '/admin/topups?having=dispute'],
    ['3 wallets are frozen', '/admin/people?state=frozen'],
    ['Webhooks of Tea House need attention', `/admin/webhooks/app_${'1'.padStart(24, '0')}`],
  ] as const) {
    await expect(todo.getByRole('link', { name })).toHaveAttribute('href', path)
  }
  const changes = window.getByText('compared with the previous 7 days')
  await expect(changes).toHaveCount(5)
  await expect(changes.first().locator('..')).toHaveText(/^\+14% compared/)
  await expect(window.getByText(/^\u22126% compared/)).toBeVisible()
  await window.getByRole('link', { name: 'Refused' }).press('Enter')
  await expect(window.getByRole('table', { name: 'Refusals' })).toBeInViewport()
})

test('a statement shows totals, can be downloaded and adds up', async ({ window, tools }) => {
  const { clientId } = await makeBusyApp(tools)
  await window.setViewportSize({ width: 1280, height: 900 })
  await enterAdmin(window, tools, 'viewer', `/client-apps/${clientId}?tab=statement`)
  await expect(async () => {
    await window.reload()
    await expect(window.getByText('2 operations')).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 40_000 })
  await expect(window.getByText('$21.00')).toBeVisible()
  const [download] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^statement-app_[0-9a-f]{24}-[\d-]{21}\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(1 + 1 + 3 + 1)
  expect(lines.at(-1)).toContain('Closing balance,,,21.00,platform,USD')

  await window.getByLabel('From (UTC)').fill('2099-01-01')
  await expect(window.getByText('The last day must not be before the first day')).toBeVisible()
  await window.getByLabel('From (UTC)').fill('2026-01-01')
  await expect(window).toHaveURL(/from=2026-01-01/)
})

test('without the chart script, the charts are tables', async ({ window, tools }) => {
  await window.route('**/assets/chart-canvas-*.js', (route) => route.abort())
  await window.route('**/api/admin/overview*', (route) => route.fulfill({ json: makeFigures(7) }))
  await enterAdmin(window, tools, 'viewer')
  await expect(window.getByRole('table', { name: 'Latency and errors' })).toBeVisible()
})

test('figures that fail to load are requested again', async ({ window, tools }) => {
  let isBroken = true
  await window.route('**/api/admin/overview*', (route) =>
    isBroken
      ? route.fulfill({ status: 503, json: { error: 'busy', code: 'SERVICE_UNAVAILABLE' } })
      : route.fallback(),
  )
  await enterAdmin(window, tools, 'viewer')
  await expect(window.getByText('This could not be loaded.')).toBeVisible()
  isBroken = false
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByRole('region', { name: 'The books' })).toBeVisible()
  await expect(window).toHaveURL(`${SERVICE()}/admin`)
})
