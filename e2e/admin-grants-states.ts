/** Bonuses, corrections and approvals, for admin-states.ts. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import {
  insertGrant,
  setApproved,
  setDeclined,
  storeDecision,
} from '../server/admin/grants/queries.ts'
import { giveBonus, makeClientApp, makeLinkedUser, makeUser } from '../server/test/factories.ts'
import { basicOf } from '../server/test/setup.ts'
import type { PageState } from './page-state.ts'
import { chooseMore } from './admin-people-states.ts'
import { enterAdmin, makeOperator } from './operator.ts'
import { SERVICE, type Tools } from './setup.ts'

export async function idOf({ admin }: Tools, email: string): Promise<bigint> {
  const { rows } = await admin.query('select id from admin.operators where email = $1', [email])
  return BigInt(rows[0].id)
}

/** Opens the page of a person with 12.00 as an operator. */
export async function enterAtPerson(page: Page, tools: Tools) {
  const user = await makeUser(tools)
  await giveBonus(tools.ledger, user.walletId, 12_00n)
  await enterAdmin(page, tools, 'operator', `/people/${user.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Example' })).toBeVisible()
  return user
}

/** A person with 20.00, of which an app has debited 9.00. */
export async function makeDebit(tools: Tools) {
  const app = await makeClientApp(tools, { name: 'Corner Shop' })
  const user = await makeLinkedUser(tools, app, 20_00n)
  const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
  const response = await fetch(`${SERVICE()}/api/server/wallet/debit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...basicOf(app) },
    body: JSON.stringify({
      serviceUserId: user.serviceUserId,
      amount: 9,
      description: 'Two teas',
      ...pair,
    }),
  })
  const { transactionId } = (await response.json()) as { transactionId: string }
  return { ...user, ...pair, transactionId }
}

/** A waiting request, proposed by its own operator. */
export async function plantGrant(
  tools: Tools,
  { by, amount = 500_00n, reason = 'Charged twice for order 1001, ticket 4711.' } = {} as {
    by?: bigint
    amount?: bigint
    reason?: string
  },
) {
  const user = await makeUser(tools)
  const proposer = by ?? (await idOf(tools, (await makeOperator(tools, 'operator')).email))
  const id = randomUUID()
  await tools.db.query(
    insertGrant({
      id,
      userId: user.id,
      walletId: user.walletId,
      kind: 'bonus',
      amount,
      reason,
      needsSecond: true,
      proposerId: proposer,
    }),
  )
  return { id, user, proposer }
}

/** Records from other tests would appear in the screenshot. */
async function clearGrants({ admin }: Tools) {
  await admin.query('delete from admin.grants')
}

async function plantDecided(tools: Tools) {
  const second = await idOf(tools, (await makeOperator(tools, 'owner')).email)
  const posted = await plantGrant(tools, { amount: 250_00n })
  const refused = await plantGrant(tools, { amount: 9_999_999_99n, reason: 'A prize.' })
  const rejected = await plantGrant(tools, { reason: 'Somebody says that 500 are missing.' })
  const withdrawn = await plantGrant(tools, { reason: 'Typed one zero too many.' })
  await tools.db.query(setApproved(posted.id, second))
  await tools.db.query(storeDecision(posted.id, null))
  await tools.db.query(setApproved(refused.id, second))
  await tools.db.query(storeDecision(refused.id, 'BALANCE_LIMIT'))
  await tools.db.query(setDeclined(rejected.id, second, 'The history shows one charge only.'))
  await tools.db.query(setDeclined(withdrawn.id, null, 'A zero too many.'))
}

async function openDialog(page: Page, tools: Tools, name: 'Give a bonus' | 'Correct the balance') {
  await enterAtPerson(page, tools)
  if (name === 'Give a bonus') await chooseMore(page, name)
  else await page.getByRole('button', { name }).click()
  await page.getByLabel('Amount in USD').fill('25')
  await page.getByLabel('Reason').fill('Charged twice for order 1001, ticket 4711.')
}

export const MONEY_STATES: readonly PageState[] = [
  {
    name: 'money-bonus',
    open: (page, tools) => openDialog(page, tools, 'Give a bonus'),
  },
  {
    name: 'money-correction',
    open: (page, tools) => openDialog(page, tools, 'Correct the balance'),
  },
  {
    name: 'money-refund',
    async open(page, tools) {
      const { id } = await makeDebit(tools)
      await enterAdmin(page, tools, 'operator', `/people/${id}`)
      await page
        .getByRole('row', { name: /Two teas/ })
        .getByRole('button')
        .click()
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Refund $9.00' })).toBeVisible()
    },
  },
  {
    name: 'money-waiting',
    async open(page, tools) {
      await makeOperator(tools, 'operator')
      await openDialog(page, tools, 'Give a bonus')
      await page.getByLabel('Amount in USD').fill('250')
      await page.getByRole('button', { name: 'Give $250.00' }).click()
      await expect(page.getByText('nothing is posted yet')).toBeVisible()
    },
  },
  {
    name: 'approvals',
    async open(page, tools) {
      await clearGrants(tools)
      const { proposer } = await plantGrant(tools)
      await plantGrant(tools, { amount: 120_00n, reason: 'Goodwill after the outage.' })
      await enterAdmin(page, tools, 'operator', '/grants')
      await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(2)
      const mine = await page.getByRole('banner').getByText('@').innerText()
      const email = mine.replace(/ · $/, '').trim()
      await plantGrant(tools, { by: await idOf(tools, email), amount: 1_250_50n })
      await tools.admin.query('update admin.operators set created_by = $2 where email = $1', [
        email,
        String(proposer),
      ])
      await page.reload()
      await expect(page.getByText('directly or through others')).toBeVisible()
    },
  },
  {
    name: 'approvals-decided',
    async open(page, tools) {
      await clearGrants(tools)
      await plantDecided(tools)
      await enterAdmin(page, tools, 'viewer', '/grants?state=decided')
      await expect(page.getByRole('row')).toHaveCount(5)
    },
  },
  {
    name: 'approvals-empty',
    async open(page, tools) {
      await clearGrants(tools)
      await enterAdmin(page, tools, 'viewer', '/grants')
      await expect(page.getByText('No open requests')).toBeVisible()
    },
  },
]
