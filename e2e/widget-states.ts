/** All states of the widget and how to reach them, for the accessibility tests and the screenshots. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { LedgerRequest } from '../server/ledger/types.ts'
import { giveBonus, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { agree, logIn, signUp } from './sign-in.ts'
import type { Shop } from './shop.ts'
import { newPerson, SERVICE, widgetIn, type NewPerson, type Tools } from './setup.ts'

export interface StateSetup {
  page: Page
  shop: Shop & { app: TestApp }
  tools: Tools
}

export interface WidgetState {
  name: string
  open: (setup: StateSetup) => Promise<void>
}

const WALLET_CALL = '**/api/widget/wallet?*'

async function open({ page, shop }: StateSetup) {
  await page.goto(shop.origin)
  await expect(widgetIn(page).getByRole('main')).toBeVisible()
}

async function openWallet(setup: StateSetup, balanceMinor: bigint, entries = false) {
  const { shop, tools } = setup
  const user = await makeLinkedUser(tools, shop.app, balanceMinor)
  shop.serviceUserId = user.serviceUserId
  if (entries) await makeHistory(tools, shop.app, user.walletId)
  await open(setup)
  return user
}

async function makeHistory({ ledger }: Tools, app: TestApp, walletId: bigint) {
  const entries: [LedgerRequest['kind'], bigint, string | null][] = [
    ['debit', 4_50n, 'Two coffees'],
    ['debit', 129_99n, 'Order 1001: a teapot, a tray and six cups with saucers'],
    ['credit', 12_00n, 'Refund of a cup'],
    ['debit', 7n, null],
  ]
  for (const [kind, amountMinor, description] of entries) {
    await ledger.post({
      kind,
      amountMinor,
      description,
      walletId,
      counterAccount: app.ledgerAccount,
      referenceType: 'ORDER_PAYMENT',
      referenceId: randomUUID(),
    })
  }
  await giveBonus(ledger, walletId, 5_00n)
}

const NO_MAX = { day: null, week: null, month: null }
const FIVE_AT_ONCE = { singleMax: 5_00n, max: NO_MAX, endsAtMs: null, timeZone: 'UTC' }

/** A hold is open, and a part of another one was captured. */
async function makeHolds({ ledger }: Tools, app: TestApp, walletId: bigint) {
  const common = { walletId, counterAccount: app.ledgerAccount, referenceType: 'HOLD' }
  const hold = (amountMinor: bigint) =>
    ledger.post({
      ...common,
      kind: 'hold',
      amountMinor,
      description: 'Loose tea, by weight',
      referenceId: randomUUID(),
      hold: { expiresInMs: 3_600_000 },
    })
  const { decision } = await hold(15_00n)
  await ledger.post({
    ...common,
    kind: 'capture',
    amountMinor: 12_40n,
    description: 'Loose tea, by weight',
    referenceId: randomUUID(),
    holdChange: {
      target: decision.digest,
      isAmountOmitted: false,
      isFinal: true,
      isBalanceHidden: false,
    },
  })
  await hold(20_00n)
}

async function seeWallet({ page }: StateSetup) {
  await expect(widgetIn(page).getByText('Hello,')).toBeVisible()
}

async function signUpWith(setup: StateSetup): Promise<NewPerson> {
  const person = newPerson()
  await open(setup)
  await signUp(widgetIn(setup.page), person)
  await seeWallet(setup)
  return person
}

/** Back at the sign-in, as a person with an account. */
async function returnAs(setup: StateSetup, person: NewPerson, unlinked: boolean) {
  const { page, shop, tools } = setup
  if (unlinked) {
    await tools.admin.query(
      'update directory.links set ended_at = now() where client_app_id = $1 and ended_at is null',
      [shop.app.id],
    )
  }
  shop.serviceUserId = undefined
  await open(setup)
  await logIn(widgetIn(page), person)
}

export const WIDGET_STATES: readonly WidgetState[] = [
  { name: 'log-in', open },
  {
    name: 'log-in-wrong',
    async open(setup) {
      await open(setup)
      const widget = widgetIn(setup.page)
      await logIn(widget, newPerson())
      await expect(widget.getByText('The email or password is wrong.')).toBeVisible()
    },
  },
  {
    name: 'sign-up',
    async open(setup) {
      await open(setup)
      await widgetIn(setup.page).getByRole('button', { name: 'Create an account' }).click()
    },
  },
  {
    name: 'sign-up-errors',
    async open(setup) {
      await open(setup)
      const widget = widgetIn(setup.page)
      await signUp(widget, { firstName: '', lastName: '', email: 'nonsense', password: 'short' })
      await expect(widget.getByText('Enter your first name')).toBeVisible()
    },
  },
  {
    name: 'consent',
    async open(setup) {
      await returnAs(setup, await signUpWith(setup), true)
      await expect(widgetIn(setup.page).getByRole('button', { name: 'Agree' })).toBeVisible()
    },
  },
  {
    name: 'linked',
    async open(setup) {
      const person = await signUpWith(setup)
      // If the shop does not respond, the person stays here.
      await setup.page.route('**/link', (route) => route.abort())
      await returnAs(setup, person, true)
      await agree(widgetIn(setup.page))
      await expect(widgetIn(setup.page).getByText('You are connected')).toBeVisible()
    },
  },
  {
    name: 'loading',
    async open(setup) {
      await setup.page.route(WALLET_CALL, () => undefined)
      await openWallet(setup, 0n)
      await expect(widgetIn(setup.page).locator('main')).toBeVisible()
    },
  },
  {
    name: 'wallet',
    async open(setup) {
      await openWallet(setup, 250_00n, true)
      await seeWallet(setup)
    },
  },
  {
    name: 'wallet-held',
    async open(setup) {
      const { walletId } = await openWallet(setup, 250_00n)
      await makeHolds(setup.tools, setup.shop.app, walletId)
      const { spendLimits } = setup.tools.ledger
      await spendLimits.set(walletId, setup.shop.app.ledgerAccount, FIVE_AT_ONCE)
      await open(setup)
      await expect(widgetIn(setup.page).getByText('Reserved: $20.00')).toBeVisible()
      await expect(widgetIn(setup.page).getByText('may take up to $5.00 now.')).toBeVisible()
    },
  },
  {
    name: 'wallet-large',
    async open(setup) {
      await openWallet(setup, 9_999_999_999_999n)
      await seeWallet(setup)
    },
  },
  {
    name: 'wallet-empty',
    async open(setup) {
      await openWallet(setup, 0n)
      await expect(widgetIn(setup.page).getByText('No recent transactions')).toBeVisible()
    },
  },
  {
    name: 'wallet-frozen',
    async open(setup) {
      const user = await openWallet(setup, 42_00n)
      await setup.tools.ledger.setWalletActive(user.walletId, false)
      await open(setup)
      await expect(widgetIn(setup.page).getByText('This wallet is frozen.')).toBeVisible()
    },
  },
  {
    name: 'wallet-offline',
    async open(setup) {
      await openWallet(setup, 42_00n, true)
      await seeWallet(setup)
      await setup.page.context().setOffline(true)
      await expect(widgetIn(setup.page).getByText('You are offline.')).toBeVisible({
        timeout: 15_000,
      })
    },
  },
  {
    name: 'wallet-stale',
    async open(setup) {
      await openWallet(setup, 42_00n, true)
      await seeWallet(setup)
      await setup.page.route(WALLET_CALL, (route) => route.fulfill({ status: 500, body: '{}' }))
      await expect(widgetIn(setup.page).getByText('We could not update')).toBeVisible({
        timeout: 15_000,
      })
    },
  },
  {
    name: 'failed',
    async open(setup) {
      await setup.page.route(WALLET_CALL, (route) => route.fulfill({ status: 500, body: '{}' }))
      await openWallet(setup, 0n)
      await expect(widgetIn(setup.page).getByText('Your wallet did not load')).toBeVisible()
    },
  },
  {
    name: 'expired',
    async open(setup) {
      await openWallet(setup, 42_00n)
      await seeWallet(setup)
      await setup.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      await expect(widgetIn(setup.page).getByText('Your session has ended')).toBeVisible({
        timeout: 15_000,
      })
    },
  },
  {
    name: 'help',
    async open({ page, shop, tools }) {
      await tools.admin.query(
        `update directory.client_apps set allowed_iframe_parents = '{}' where id = $1`,
        [shop.app.id],
      )
      await page.goto(
        `${shop.origin}/?frame=${encodeURIComponent(`${SERVICE()}/widget/wallet?x=1`)}`,
      )
      await expect(widgetIn(page).getByText('This wallet cannot be shown here')).toBeVisible()
    },
  },
]
