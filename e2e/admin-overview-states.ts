/** The overview and statements, for screenshots. Months of figures are invented; the rest is the real service. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { makeClientApp, makeUser } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import { makeFaultyFigures, makeFigures, makeNewFigures } from './overview-figures.ts'
import type { Tools } from './setup.ts'

function withFigures(name: string, period: string, figures: () => object): PageState {
  return {
    name,
    async open(page, tools) {
      await page.route('**/api/admin/overview*', (route) => route.fulfill({ json: figures() }))
      await enterAdmin(page, tools, 'owner', period && `?period=${period}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'The books' })).toBeVisible()
    },
  }
}

async function waitForCharts(page: Page) {
  await expect(page.locator('canvas')).toHaveCount(3)
}

/** A client app that debited and credited today. */
export async function makeBusyApp(tools: Tools) {
  const app = await makeClientApp(tools, { name: 'Busy Shop' })
  const { walletId } = await makeUser(tools, 100_00n)
  for (const [kind, amountMinor] of [
    ['debit', 19_99n],
    ['debit', 5_01n],
    ['credit', 4_00n],
  ] as const) {
    await tools.ledger.post({
      kind,
      amountMinor,
      walletId,
      counterAccount: app.ledgerAccount,
      referenceType: 'ORDER',
      referenceId: randomUUID(),
      description: null,
    })
  }
  return app
}

/** A statement ends where the totals end, which is some seconds ago. */
async function waitForTotals({ admin }: Tools) {
  const { rows } = await admin.query<{ now: Date }>('select now()')
  const sql = 'select from books.progress where totals_up_to > $1'
  const isInTotals = async () => (await admin.query(sql, [rows[0]?.now])).rowCount === 1
  await expect.poll(isInTotals, { timeout: 30_000 }).toBe(true)
}

const grown = withFigures('overview', '30d', () => makeFigures(30))

export const OVERVIEW_STATES: readonly PageState[] = [
  {
    name: 'overview',
    async open(page, tools) {
      await grown.open(page, tools)
      await waitForCharts(page)
    },
  },
  {
    name: 'overview-tables',
    async open(page, tools) {
      await grown.open(page, tools)
      for (const name of ['Volume', 'Top-ups', 'Latency and errors']) {
        await page.getByRole('button', { name: `Show as table ${name}` }).click()
      }
      await expect(page.getByRole('table', { name: 'Volume' })).toBeVisible()
    },
  },
  withFigures('overview-fault', '', makeFaultyFigures),
  withFigures('overview-new', '', makeNewFigures),
  {
    name: 'client-app-statement',
    async open(page, tools) {
      const { clientId } = await makeBusyApp(tools)
      await waitForTotals(tools)
      await enterAdmin(page, tools, 'owner', `/client-apps/${clientId}?tab=statement`)
      await expect(page.getByText('2 operations')).toBeVisible()
    },
  },
]
