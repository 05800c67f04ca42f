/** Operations and top-ups in the admin area, for screenshots. */
import { expect, type Page } from '@playwright/test'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import { dispute, makePayer, spend, topUp } from './payer.ts'
import type { Tools } from './setup.ts'

type Path = (tools: Tools) => Promise<string>

function at(name: string, pathOf: Path, seen: RegExp, act?: (page: Page) => Promise<void>) {
  const state: PageState = {
    name,
    async open(page, tools) {
      await enterAdmin(page, tools, 'owner', await pathOf(tools))
      // The page reads up to 20 parts of a search, one after the other.
      await expect(page.getByText(seen).first()).toBeVisible({ timeout: 60_000 })
      await act?.(page)
    },
  }
  return state
}

function lookUp(amount: number, others: readonly number[] = []): Path {
  return async (tools) => {
    const payer = await makePayer(tools)
    await topUp(tools, payer, 40)
    const id = `order-${Date.now()}`
    for (const each of [amount, ...others]) await spend(payer, each, id)
    const query = { app: payer.app.clientId, type: 'ORDER_PAYMENT', id }
    return `/operations?${new URLSearchParams(query)}`
  }
}

async function makeDisputed(tools: Tools): Promise<string> {
  const payer = await makePayer(tools)
  const { id, charge } = await topUp(tools, payer, 50)
  await spend(payer, 30, `order-${Date.now()}`)
  await dispute(tools, id, charge)
  return `/topups/${id}`
}

/** One of each kind, in a list of their own client app. */
async function makeMany(tools: Tools): Promise<string> {
  const payer = await makePayer(tools, 'Tea House')
  const { app } = payer
  await topUp(tools, payer, 25, false)
  const automatic = await topUp(tools, await makePayer(tools, '', app), 100)
  await tools.admin.query('update directory.topups set is_automatic = true where id = $1', [
    automatic.id,
  ])
  const refunded = await topUp(tools, payer, 20)
  await plantRefund(tools, refunded.id, 'sent')
  const disputed = await topUp(tools, await makePayer(tools, '', app), 50)
  await dispute(tools, disputed.id, disputed.charge)
  return `/topups?app=${app.clientId}`
}

/** A refund, as if the processor had responded, or not. */
async function plantRefund(tools: Tools, topupId: string, status: 'sent' | 'reserved') {
  await tools.admin.query(
    `insert into directory.refunds (topup_id, amount, status, reason, next_check_at)
      values ($1, 500, $2, 'Paid twice, ticket 4711', now() + interval '1 hour')`,
    [topupId, status],
  )
}

async function makeReserved(tools: Tools): Promise<string> {
  const { id } = await topUp(tools, await makePayer(tools), 20)
  await plantRefund(tools, id, 'sent')
  await plantRefund(tools, id, 'reserved')
  return `/topups/${id}`
}

async function makePlain(tools: Tools): Promise<string> {
  return `/topups/${(await topUp(tools, await makePayer(tools), 20)).id}`
}

/** Operations of several kinds and two people; the path shows those of their client app. */
async function makeOperations(tools: Tools): Promise<string> {
  const payer = await makePayer(tools, 'Tea House')
  const { app } = payer
  const other = await makePayer(tools, '', app)
  await topUp(tools, other, 100)
  const { id, charge } = await topUp(tools, payer, 50)
  await spend(payer, 30, `order-${Date.now()}`)
  for (const amount of [4.5, 12, 31.9]) {
    await spend(other, amount, `subscription-2026-11-for-customer-${Date.now()}`)
  }
  await dispute(tools, id, charge)
  return `/operations?client=${app.clientId}`
}

async function makeNoOperations(tools: Tools): Promise<string> {
  return `/operations?client=${(await makePayer(tools)).app.clientId}`
}

/** What the service returns at moments that a test cannot wait for. */
const NO_OPERATIONS = {
  operations: [],
  currency: 'USD',
  nextCursor: null,
  searchedFrom: null,
  archivedBefore: null,
}

function atResponse(name: string, status: number, body: object, path: string, seen: RegExp) {
  const state: PageState = {
    name,
    async open(page, tools) {
      await page.route('**/api/admin/operations/recent*', (route) =>
        route.fulfill({ status, json: body }),
      )
      await at(name, async () => path, seen).open(page, tools)
    },
  }
  return state
}

export const OPERATION_STATES: readonly PageState[] = [
  at(
    'operations',
    async (tools) => (await makeOperations(tools)).replace(/\?.*/, ''),
    /became a debt/,
  ),
  at('operations-of-app', makeOperations, /\$31\.90/),
  at('operations-none', makeNoOperations, /No results/),
  atResponse('operations-empty', 200, NO_OPERATIONS, '/operations', /No operations yet/),
  atResponse(
    'operations-older',
    200,
    { ...NO_OPERATIONS, nextCursor: '1', searchedFrom: '2026-11-12T09:30:00.000Z' },
    '/operations?kind=credit&min=5000&to=2026-11-14T10:00',
    /Nothing matches between 12 Nov .*09:30:00 and 14 Nov .*10:00:00 UTC/,
  ),
  atResponse(
    'operations-archived',
    200,
    { ...NO_OPERATIONS, archivedBefore: '2026-09-01T00:00:00.000Z' },
    '/operations?min=5000',
    /Operations before 2026-09-01 are archived/,
  ),
  atResponse('operations-failed', 503, {}, '/operations', /This could not be loaded/),
  at('operation-debited', lookUp(12, [13, 14]), /Debited once/),
  at('operation-refused', lookUp(500), /Refused: INSUFFICIENT_BALANCE/),
  at(
    'operation-never',
    async (tools) => (await lookUp(1)(tools)).replace('order-', 'other-'),
    /No outcome recorded/,
  ),
]

export const ADMIN_TOPUP_STATES: readonly PageState[] = [
  at('topups', makeMany, /\$100\.00/),
  at('topup', makePlain, /Top-up of \$20\.00/),
  at('topup-refunds', makeReserved, /Being sent/),
  at('topup-disputed', makeDisputed, /became a debt/),
  at('topup-refund', makePlain, /Top-up of \$20\.00/, async (page) => {
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }),
]
