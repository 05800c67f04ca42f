import { expect, type Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { ADMIN_STATES } from './admin-states.ts'
import { expectAccessible } from './expect-accessible.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test } from './setup.ts'

test.describe.configure({ mode: 'parallel' })

/** Collects policy violations and errors of the page. */
function watch(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) errors.push(message.text())
  })
  return errors
}

for (const state of ADMIN_STATES) {
  test(`admin ${state.name}: axe finds nothing, 768 px and 360 px are enough`, async ({
    window,
    tools,
  }) => {
    const errors = watch(window)
    await window.setViewportSize({ width: 1280, height: 900 })
    await state.open(window, tools)
    await window.emulateMedia({ reducedMotion: 'reduce' })
    for (const width of [360, 768, 1280]) {
      await window.setViewportSize({ width, height: 900 })
      const isWide = () => document.documentElement.scrollWidth > innerWidth
      // Charts are drawn a moment later.
      await expect.poll(() => window.evaluate(isWide), `${width} px`).toBe(false)
    }
    await expectAccessible(window)
    expect(errors).toEqual([])
  })
}

test('the audit log is not scrolled sideways at 360 px, and its entries open', async ({
  window,
  tools,
}) => {
  await window.setViewportSize({ width: 360, height: 900 })
  await enterAdmin(window, tools, 'viewer', '/audit')
  const table = window.getByRole('table', { name: 'Audit log' })
  const entry = table.getByRole('row').filter({ hasText: 'operator.create' }).first()
  const isWide = () =>
    table.evaluate(({ parentElement }) =>
      parentElement ? parentElement.scrollWidth > parentElement.clientWidth : true,
    )
  await expect(entry.getByText('test', { exact: true })).toBeInViewport()
  expect(await isWide()).toBe(false)
  await entry.getByRole('button').click()
  await expect(window.getByText('role', { exact: true }).first()).toBeVisible()
  expect(await isWide()).toBe(false)
})

test('an owner registers a client app, and its credentials work', async ({ window, tools }) => {
  const errors = watch(window)
  await enterAdmin(window, tools, 'owner', '/client-apps/new')
  const name = `Shop ${Date.now()}`
  await window.getByLabel('Name', { exact: true }).fill(name)
  await window.getByLabel('Up to an amount').check()
  await window.getByLabel(/^Credit limit in/).fill('100')
  await window.getByRole('button', { name: 'Register' }).click()
  await expect(window.getByRole('heading', { name: `Credentials of ${name}` })).toBeFocused()
  const goOn = window.getByRole('button', { name: 'Continue to the integration' })
  await expect(goOn).toBeDisabled()
  const shown = await window.locator('main').innerText()
  const clientId = /app_[0-9a-f]{24}/.exec(shown)?.[0]
  const clientSecret = /coffer_sk_[\w-]+/.exec(shown)?.[0]
  const query = new URLSearchParams({
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    referenceType: 'ORDER',
    referenceId: 'none',
  })
  const response = await fetch(`${SERVICE()}/api/server/operations?${query}`)
  expect([response.status, (await response.json()).code]).toEqual([404, 'OPERATION_NOT_FOUND'])

  const [download] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('link', { name: 'Download .env' }).click(),
  ])
  const env = await readFile(await download.path(), 'utf8')
  expect(env).toContain(`COFFER_CLIENT_SECRET=${clientSecret}\n`)
  await window.getByLabel('I have saved the secret').check()
  await goOn.click()
  await expect(window).toHaveURL(`${SERVICE()}/admin/client-apps/${clientId}?tab=integration`)

  await window.goto(`${SERVICE()}/admin/audit`)
  await expect(window.getByText('client_app.create').first()).toBeVisible()
  await window.getByRole('button', { name: 'Log out' }).click()
  await expect(window.getByText('You are logged out.')).toBeVisible()
  expect(errors).toEqual([])
})

test('a viewer sees everything but no actions', async ({ window, tools }) => {
  await enterAdmin(window, tools, 'viewer', '/client-apps')
  await expect(window.getByRole('heading', { level: 1, name: 'Client apps' })).toBeVisible()
  await expect(window.getByRole('link', { name: 'Register a client app' })).toHaveCount(0)
})

test('refused pages are text: a forged one is not one click away from being allowed', async ({
  window,
  tools,
  makeShop,
}) => {
  const { app } = await makeShop()
  const forged = 'https://pay.shop.example'
  await tools.admin.query(
    `insert into admin.app_activity (client_app_id, kind, value, times) values ($1, 'origin', $2, 3)`,
    [app.id, forged],
  )
  await enterAdmin(window, tools, 'owner', `/client-apps/${app.clientId}?tab=integration`)
  const row = window.getByRole('row', { name: forged })
  await expect(row).toContainText('3')
  await expect(window.getByText('These pages are not verified')).toBeVisible()
  for (const role of ['button', 'link', 'checkbox'] as const) {
    await expect(row.getByRole(role)).toHaveCount(0)
    await expect(window.getByRole(role, { name: forged })).toHaveCount(0)
  }
})
