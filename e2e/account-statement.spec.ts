import { expect, type Page } from '@playwright/test'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { enter, makeOwner, pay, type Owner } from './owner.ts'
import { test, type Tools } from './setup.ts'

/** 250.00 and this many payments of one cent. */
async function openStatement(page: Page, tools: Tools, count: number): Promise<Owner> {
  const owner = await makeOwner(tools)
  await giveBonus(tools.ledger, owner.walletId, 250_00n)
  const app = await makeClientApp(tools, { name: 'Tea <house>' })
  await pay(tools, owner, count, app.ledgerAccount)
  await enter(page, owner, '#history')
  await page.getByRole('link', { name: 'Statement' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Statement for/ })).toBeFocused()
  return owner
}

const colorsOf = (page: Page) =>
  page.evaluate(() => {
    const styles = (selector: string) =>
      getComputedStyle(document.querySelector(selector) as Element)
    return [styles('html').backgroundColor, styles('body').color, styles('td').color]
  })

test('the statement of a month shows balances, totals and all entries', async ({
  window,
  tools,
}) => {
  const owner = await openStatement(window, tools, 60)
  await expect(window.getByText(`${owner.firstName} ${owner.lastName}`).last()).toBeVisible()
  const paper = window.getByRole('article')
  await expect(paper.getByText('Coffer', { exact: true })).toBeVisible()
  await expect(paper.getByRole('definition')).toHaveText([
    '$0.00',
    '+$250.00',
    '\u2212$0.60',
    '$249.40',
  ])
  await expect(paper.getByRole('row')).toHaveCount(62)
  await expect(paper.getByRole('row').last()).toContainText('$249.40')
  await expectAxeFindsNothing(window)
  const months = window.getByLabel('Month')
  await months.selectOption({ index: 1 })
  await expect(window.getByText('No transactions in this month.')).toBeVisible()
  await expect(window).toHaveURL(/#statement\?month=\d{4}-\d\d$/)
  await window.reload()
  await expect(window.getByText('No transactions in this month.')).toBeVisible()
  await expectAxeFindsNothing(window)
})

test('the printed statement has several pages, black on white, without the navigation', async ({
  window,
  tools,
}) => {
  await openStatement(window, tools, 60)
  await expect(window.getByRole('article').getByRole('row')).toHaveCount(62)
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ media: 'print', colorScheme })
    expect(await colorsOf(window)).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'rgb(0, 0, 0)'])
    await expect(window.getByRole('navigation')).toBeHidden()
    await expect(window.getByRole('button')).toHaveCount(0)
    await expect(window.getByLabel('Month')).toBeHidden()
    await expect(window.getByRole('columnheader', { name: 'Balance' })).toBeVisible()
    const head = window.locator('thead')
    expect(await head.evaluate((each) => getComputedStyle(each).display)).toBe('table-header-group')
    const file = (await window.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
    const pages = file.match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThanOrEqual(2)
    expect(pages).toBeLessThanOrEqual(4)
  }
})

test('the button prints, and a statement that is not available says so', async ({
  window,
  tools,
}) => {
  await window.addInitScript(() => {
    const note = () => void (document.documentElement.dataset['printed'] = 'yes')
    Object.assign(globalThis, { print: note })
  })
  await openStatement(window, tools, 1)
  await window.getByRole('button', { name: 'Print or save as PDF' }).click()
  await expect(window.locator('html')).toHaveAttribute('data-printed', 'yes')
  await window.route('**/api/account/statement?*', (route) =>
    route.fulfill({ status: 400, json: { code: 'INVALID_REQUEST', error: '', requestId: 'x' } }),
  )
  await window.getByLabel('Month').selectOption({ index: 2 })
  await expect(window.getByText('There is no statement for this month')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Print or save as PDF' })).toBeDisabled()
  await window.unroute('**/api/account/statement?*')
  await window.route('**/api/account/statement?*', (route) => route.abort())
  await window.getByLabel('Month').selectOption({ index: 3 })
  await expect(window.getByText('We could not load the statement.')).toBeVisible()
  await expectAxeFindsNothing(window)
  await window.unroute('**/api/account/statement?*')
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByText('No transactions in this month.')).toBeVisible()
})
