/** All states of /account, for screenshots. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { link } from '../server/identity/link.ts'
import { giveBonus, makeClientApp } from '../server/test/factories.ts'
import { CARD_STATES } from './account-card-states.ts'
import { HOLD_STATES } from './account-hold-states.ts'
import { SPENDING_LIMIT_STATES } from './account-limit-states.ts'
import { PASSKEY_STATES } from './account-passkey-states.ts'
import type { PageState } from './page-state.ts'
import { enter, makeOwner, type Owner } from './owner.ts'
import { newPerson, SERVICE, type Tools } from './setup.ts'
import { signUp } from './sign-in.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

async function makeRichOwner(tools: Tools): Promise<Owner> {
  const owner = await makeOwner(tools)
  await giveBonus(tools.ledger, owner.walletId, 250_00n)
  for (const [name, amountMinor, description] of [
    ['Corner Shop', 4_50n, 'Two coffees'],
    ['Tea House', 129_99n, 'A teapot, a tray and six cups with saucers'],
  ] as const) {
    const app = await makeClientApp(tools, { name })
    await link(tools.db, app.id, owner.id)
    await tools.ledger.post({
      kind: 'debit',
      amountMinor,
      description,
      walletId: owner.walletId,
      counterAccount: app.ledgerAccount,
      referenceType: 'ORDER_PAYMENT',
      referenceId: randomUUID(),
    })
  }
  return owner
}

async function openTopup(page: Page, tools: Tools) {
  await enter(page, await makeRichOwner(tools))
  await page.goto(`${SERVICE()}/account/topup`)
  await expect(page.getByText('Balance: $115.51')).toBeVisible()
}

function atSection(name: string, section: string, heading: string): PageState {
  return {
    name,
    async open(page, tools) {
      await enter(page, await makeRichOwner(tools), section)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    },
  }
}

/** As after months without a single entry on the page were archived. */
export async function archiveHistory(page: Page) {
  await page.route(/\/api\/account\/history(\?|$)/, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as object
    await route.fulfill({
      response,
      json: { ...json, archivedBefore: '2026-01-01' },
    })
  })
}

export const ACCOUNT_STATES: readonly PageState[] = [
  {
    name: 'log-in',
    async open(page) {
      await page.goto(`${SERVICE()}/account`)
    },
  },
  {
    name: 'log-in-wrong',
    async open(page) {
      await enter(page, newPerson(), '#history')
      await expect(page.getByText(/password is wrong/)).toBeVisible()
    },
  },
  {
    name: 'sign-up',
    async open(page) {
      await page.goto(`${SERVICE()}/account`)
      await page.getByRole('button', { name: 'Create an account' }).click()
      await expect(page.getByRole('heading', { name: 'Create your wallet' })).toBeVisible()
    },
  },
  {
    name: 'sign-up-verify',
    async open(page) {
      await page.route('**/api/account/sign-up', (route) =>
        route.fulfill({ json: { ticket: 'x'.repeat(32) } }),
      )
      await page.goto(`${SERVICE()}/account`)
      await signUp(page, newPerson())
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    },
  },
  {
    name: 'overview-empty',
    async open(page, tools) {
      await enter(page, await makeOwner(tools))
    },
  },
  {
    name: 'overview-frozen',
    async open(page, tools) {
      const owner = await makeRichOwner(tools)
      await tools.ledger.setWalletActive(owner.walletId, false)
      await enter(page, owner)
    },
  },
  {
    name: 'overview',
    async open(page, tools) {
      await enter(page, await makeRichOwner(tools))
    },
  },
  {
    name: 'topup-amount',
    async open(page, tools) {
      await openTopup(page, tools)
    },
  },
  {
    name: 'topup-card',
    async open(page, tools) {
      await openTopup(page, tools)
      await chooseAmount(page, '$25')
      await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
    },
  },
  {
    name: 'topup-done',
    async open(page, tools) {
      await openTopup(page, tools)
      await chooseAmount(page, '$25')
      await payByCard(page, '4242424242424242')
      await expect(page.getByText('$25.00 added')).toBeVisible({ timeout: 20_000 })
    },
  },
  {
    name: 'topup-logged-out',
    async open(page) {
      await page.goto(`${SERVICE()}/account/topup`)
      await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
    },
  },
  {
    name: 'reset',
    async open(page) {
      await page.goto(`${SERVICE()}/account#reset?ticket=${'x'.repeat(32)}`)
      await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    },
  },
  {
    name: 'undo',
    async open(page) {
      await page.goto(`${SERVICE()}/account#undo?ticket=${'x'.repeat(32)}`)
      await expect(page.getByRole('heading', { name: 'Restore your email address' })).toBeVisible()
    },
  },
  {
    name: 'warning',
    async open(page) {
      await page.goto(`${SERVICE()}/account#warning?ticket=${'x'.repeat(32)}`)
      await expect(page.getByRole('heading', { name: "This wasn't you?" })).toBeVisible()
    },
  },
  {
    name: 'warning-done',
    async open(page) {
      await page.route('**/api/account/secure', (route) => route.fulfill({ json: {} }))
      await page.goto(`${SERVICE()}/account#warning?ticket=${'x'.repeat(32)}`)
      await page.getByRole('button', { name: 'Secure my account' }).click()
      await expect(page.getByRole('heading', { name: 'Your account is secured' })).toBeVisible()
    },
  },
  atSection('history', '#history', 'History'),
  ...HOLD_STATES,
  {
    name: 'history-refund',
    async open(page, tools) {
      const owner = await makeOwner(tools)
      await giveBonus(tools.ledger, owner.walletId, 20_00n)
      const app = await makeClientApp(tools, { name: 'Corner Shop' })
      const common = { walletId: owner.walletId, counterAccount: app.ledgerAccount }
      const { decision } = await tools.ledger.post({
        ...common,
        kind: 'debit',
        amountMinor: 12_30n,
        description: 'Two coffees',
        referenceType: 'ORDER_PAYMENT',
        referenceId: randomUUID(),
      })
      await tools.ledger.post({
        ...common,
        kind: 'refund',
        amountMinor: 4_00n,
        description: 'Refund: one coffee',
        referenceType: 'ORDER_REFUND',
        referenceId: randomUUID(),
        refund: { target: decision.digest, isAmountOmitted: false, isBalanceHidden: false },
      })
      await enter(page, owner, '#history')
      for (const name of ['Refund: one coffee', 'Two coffees'])
        await page.getByText(name).first().click()
      await expect(page.getByText('Refunded', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'history-archived',
    async open(page, tools) {
      await archiveHistory(page)
      await enter(page, await makeRichOwner(tools), '#history')
      await expect(page.getByText('are archived')).toBeVisible()
    },
  },
  atSection('statement', '#statement', 'Statement for'),
  atSection('history-nothing', '#history?search=nothing', 'History'),
  atSection('apps', '#apps', 'Connected apps'),
  ...SPENDING_LIMIT_STATES,
  {
    name: 'apps-disconnect',
    async open(page, tools) {
      await enter(page, await makeRichOwner(tools), '#apps')
      await page.getByRole('button', { name: 'Disconnect Tea House' }).click()
    },
  },
  atSection('profile', '#profile', 'Profile & security'),
  ...PASSKEY_STATES,
  ...CARD_STATES,
  {
    name: 'profile-emails',
    async open(page, tools) {
      // As with a mail server.
      await page.route(/\/account$/, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('"hasMailer":false', '"hasMailer":true')
        await route.fulfill({ response, body })
      })
      await enter(page, await makeOwner(tools), '#profile')
      await page.getByText('Send me a receipt when money is added').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'profile-delete',
    async open(page, tools) {
      await enter(page, await makeOwner(tools), '#profile')
      await page.getByRole('button', { name: 'Delete account …' }).click()
    },
  },
]
