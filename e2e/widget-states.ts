/** All states of the widget and how to reach them, for the accessibility tests and the screenshots. */
import { expect, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { LedgerRequest } from '../server/ledger/types.ts'
import { giveBonus, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { agree, logIn, signUp } from './sign-in.ts'
import type { Shop } from './shop.ts'
import { newPerson, SERVICE, widgetIn, type NewPerson, type Tools } from './setup.ts'

export interface Scene {
  page: Page
  shop: Shop & { app: TestApp }
  tools: Tools
}

export interface WidgetState {
  name: string
  open: (scene: Scene) => Promise<void>
}

const WALLET_CALL = '**/api/widget/wallet?*'

async function open({ page, shop }: Scene) {
  await page.goto(shop.origin)
  await expect(widgetIn(page).getByRole('main')).toBeVisible()
}

async function openWallet(scene: Scene, balanceMinor: bigint, entries = false) {
  const { shop, tools } = scene
  const user = await makeLinkedUser(tools, shop.app, balanceMinor)
  shop.serviceUserId = user.serviceUserId
  if (entries) await makeHistory(tools, shop.app, user.walletId)
  await open(scene)
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
      counterAccount: app.account,
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
  const common = { walletId, counterAccount: app.account, referenceType: 'HOLD' }
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

async function seeWallet({ page }: Scene) {
  await expect(widgetIn(page).getByText('Hello,')).toBeVisible()
}

async function signUpWith(scene: Scene): Promise<NewPerson> {
  const person = newPerson()
  await open(scene)
  await signUp(widgetIn(scene.page), person)
  await seeWallet(scene)
  return person
}

/** Back at the sign-in, as a person with an account. */
async function returnAs(scene: Scene, person: NewPerson, unlinked: boolean) {
  const { page, shop, tools } = scene
  if (unlinked) {
    await tools.admin.query(
      'update directory.links set ended_at = now() where client_app_id = $1 and ended_at is null',
      [shop.app.id],
    )
  }
  shop.serviceUserId = undefined
  await open(scene)
  await logIn(widgetIn(page), person)
}

export const WIDGET_STATES: readonly WidgetState[] = [
  { name: 'log-in', open },
  {
    name: 'log-in-wrong',
    async open(scene) {
      await open(scene)
      const widget = widgetIn(scene.page)
      await logIn(widget, newPerson())
      await expect(widget.getByText('The email or password is wrong.')).toBeVisible()
    },
  },
  {
    name: 'sign-up',
    async open(scene) {
      await open(scene)
      await widgetIn(scene.page).getByRole('button', { name: 'Create an account' }).click()
    },
  },
  {
    name: 'sign-up-errors',
    async open(scene) {
      await open(scene)
      const widget = widgetIn(scene.page)
      await signUp(widget, { firstName: '', lastName: '', email: 'nonsense', password: 'short' })
      await expect(widget.getByText('Enter your first name')).toBeVisible()
    },
  },
  {
    name: 'consent',
    async open(scene) {
      await returnAs(scene, await signUpWith(scene), true)
      await expect(widgetIn(scene.page).getByRole('button', { name: 'Agree' })).toBeVisible()
    },
  },
  {
    name: 'linked',
    async open(scene) {
      const person = await signUpWith(scene)
      // If the shop does not respond, the person stays here.
      await scene.page.route('**/link', (route) => route.abort())
      await returnAs(scene, person, true)
      await agree(widgetIn(scene.page))
      await expect(widgetIn(scene.page).getByText('You are connected')).toBeVisible()
    },
  },
  {
    name: 'loading',
    async open(scene) {
      await scene.page.route(WALLET_CALL, () => undefined)
      await openWallet(scene, 0n)
      await expect(widgetIn(scene.page).locator('main')).toBeVisible()
    },
  },
  {
    name: 'wallet',
    async open(scene) {
      await openWallet(scene, 250_00n, true)
      await seeWallet(scene)
    },
  },
  {
    name: 'wallet-held',
    async open(scene) {
      const { walletId } = await openWallet(scene, 250_00n)
      await makeHolds(scene.tools, scene.shop.app, walletId)
      const { spendLimits } = scene.tools.ledger
      await spendLimits.set(walletId, scene.shop.app.account, FIVE_AT_ONCE)
      await open(scene)
      await expect(widgetIn(scene.page).getByText('Reserved: $20.00')).toBeVisible()
      await expect(widgetIn(scene.page).getByText('may take up to $5.00 now.')).toBeVisible()
    },
  },
  {
    name: 'wallet-large',
    async open(scene) {
      await openWallet(scene, 9_999_999_999_999n)
      await seeWallet(scene)
    },
  },
  {
    name: 'wallet-empty',
    async open(scene) {
      await openWallet(scene, 0n)
      await expect(widgetIn(scene.page).getByText('No recent transactions')).toBeVisible()
    },
  },
  {
    name: 'wallet-frozen',
    async open(scene) {
      const user = await openWallet(scene, 42_00n)
      await scene.tools.ledger.setWalletActive(user.walletId, false)
      await open(scene)
      await expect(widgetIn(scene.page).getByText('This wallet is frozen.')).toBeVisible()
    },
  },
  {
    name: 'wallet-offline',
    async open(scene) {
      await openWallet(scene, 42_00n, true)
      await seeWallet(scene)
      await scene.page.context().setOffline(true)
      await expect(widgetIn(scene.page).getByText('You are offline.')).toBeVisible({
        timeout: 15_000,
      })
    },
  },
  {
    name: 'wallet-stale',
    async open(scene) {
      await openWallet(scene, 42_00n, true)
      await seeWallet(scene)
      await scene.page.route(WALLET_CALL, (route) => route.fulfill({ status: 500, body: '{}' }))
      await expect(widgetIn(scene.page).getByText('We could not update')).toBeVisible({
        timeout: 15_000,
      })
    },
  },
  {
    name: 'failed',
    async open(scene) {
      await scene.page.route(WALLET_CALL, (route) => route.fulfill({ status: 500, body: '{}' }))
      await openWallet(scene, 0n)
      await expect(widgetIn(scene.page).getByText('Your wallet did not load')).toBeVisible()
    },
  },
  {
    name: 'expired',
    async open(scene) {
      await openWallet(scene, 42_00n)
      await seeWallet(scene)
      await scene.tools.admin.query('update directory.widget_sessions set expires_at = now()')
      await expect(widgetIn(scene.page).getByText('Your session has ended')).toBeVisible({
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
