/** People and wallets in the admin area, for screenshots. */
import { expect, type Page } from '@playwright/test'
import { createServiceUser } from '../server/identity/create-service-user.ts'
import { link, unlink } from '../server/identity/link.ts'
import { BONUS_ACCOUNT, PROCESSOR_ACCOUNT, type Kind } from '../server/ledger/types.ts'
import { makeClientApp, type TestUser } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import { newPerson, type Tools } from './setup.ts'

export async function makeNamedPerson(
  tools: Tools,
  name: { firstName?: string; lastName?: string } = {},
): Promise<TestUser & { email: string; lastName: string }> {
  const { firstName, lastName, email } = { ...newPerson(), ...name }
  const isVerified = true
  return {
    email,
    lastName,
    ...(await createServiceUser(tools, { firstName, lastName, email, isVerified })),
  }
}

/** Links, top-ups and an entry of every kind; a debt remains. */
export async function makeBusyPerson(tools: Tools) {
  const person = await makeNamedPerson(tools, {
    firstName: 'Grace',
    lastName: 'van der Hopper-Murray',
  })
  const shop = await makeClientApp(tools, { name: 'Corner Shop' })
  const tea = await makeClientApp(tools, { name: 'Tea House & Bakery' })
  await link(tools.db, tea.id, person.id)
  await unlink(tools.db, tea.id, person.id)
  const serviceUserId = await link(tools.db, shop.id, person.id)
  const moves: [Kind, bigint, number, string, string | null][] = [
    ['topup', 50_00n, PROCESSOR_ACCOUNT, 'TOPUP', null],
    ['bonus', 5_00n, BONUS_ACCOUNT, 'BONUS', null],
    ['debit', 19_99n, shop.ledgerAccount, 'ORDER_PAYMENT', 'Two coffees and a croissant'],
    ['debit', 4_50n, tea.ledgerAccount, 'ORDER_PAYMENT', 'Tea'],
    ['credit', 19_99n, shop.ledgerAccount, 'ORDER_REFUND', null],
    ['card_refund', 20_00n, PROCESSOR_ACCOUNT, 'REFUND', null],
    ['seizure', 50_00n, PROCESSOR_ACCOUNT, 'DISPUTE', null],
  ]
  for (const [
    at,
    [kind, amountMinor, counterAccount, referenceType, description],
  ] of moves.entries()) {
    const referenceId = `${referenceType.toLowerCase()}-2026-${person.id}-${at}`
    await tools.ledger.post({
      kind,
      amountMinor,
      counterAccount,
      referenceType,
      referenceId,
      description,
      walletId: person.walletId,
    })
  }
  for (const [status, hours] of [
    ['credited', 30],
    ['ended', 20],
    ['open', 1],
  ] as const) {
    await tools.admin.query(
      `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, status, created_at, next_check_at, is_automatic)
        values ($1, $2, $3, 5000, $4, now() - make_interval(hours => $5), 'infinity', $4 = 'credited')`,
      [person.id, person.walletId, shop.id, status, hours],
    )
  }
  return { ...person, serviceUserId }
}

/** An action behind the button “More” of a person. */
export async function chooseMore(page: Page, name: string) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name }).click()
}

function atBusyPerson(
  name: string,
  tab = '',
  act: (page: Page) => Promise<void> = () => Promise.resolve(),
): PageState {
  return {
    name,
    async open(page, tools) {
      const { id } = await makeBusyPerson(tools)
      await enterAdmin(page, tools, 'owner', `/people/${id}${tab}`)
      await expect(page.getByRole('heading', { level: 1, name: /^Grace/ })).toBeVisible()
      await expect(page.getByRole('table')).toBeVisible()
      await act(page)
    },
  }
}

function atPerson(name: string, act: (page: Page, tools: Tools, id: bigint) => Promise<void>) {
  return {
    name,
    async open(page: Page, tools: Tools) {
      const { id } = await makeNamedPerson(tools)
      await enterAdmin(page, tools, 'owner', `/people/${id}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Ada Example' })).toBeVisible()
      await act(page, tools, id)
    },
  }
}

export const PEOPLE_STATES: readonly PageState[] = [
  {
    name: 'people',
    async open(page, tools) {
      await makeBusyPerson(tools)
      const frozen = await makeNamedPerson(tools, { firstName: 'Mary', lastName: 'Frost' })
      await tools.ledger.setWalletActive(frozen.walletId, false)
      const { id } = await makeNamedPerson(tools)
      await tools.admin.query('delete from directory.people where service_user_id = $1', [id])
      await enterAdmin(page, tools, 'viewer', '/people')
      await expect(page.getByText('Mary Frost').first()).toBeVisible()
    },
  },
  {
    name: 'search',
    async open(page, tools) {
      await makeBusyPerson(tools)
      await enterAdmin(page, tools, 'viewer', '/search?search=Hopper')
      await expect(page.getByRole('link', { name: /^Grace/ }).first()).toBeVisible()
      await expect(page.getByText('No operation has exactly this reference ID.')).toBeVisible()
    },
  },
  {
    name: 'people-none',
    async open(page, tools) {
      await enterAdmin(page, tools, 'viewer', '/people?search=nobody+at+all')
      await expect(page.getByText('No results')).toBeVisible()
    },
  },
  atBusyPerson('person', '', async (page) => {
    await page.getByRole('button', { name: /^\d/ }).nth(4).click()
    await expect(page.getByText('Two coffees and a croissant', { exact: true })).toBeVisible()
  }),
  {
    name: 'person-archived',
    async open(page, tools) {
      const { id } = await makeBusyPerson(tools)
      await page.route(/\/api\/admin\/people\/one\?/, async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as object
        await route.fulfill({ response, json: { ...json, archivedBefore: '2026-01-01' } })
      })
      await enterAdmin(page, tools, 'viewer', `/people/${id}`)
      await expect(page.getByText('Entries before 2026-01-01 are archived')).toBeVisible()
    },
  },
  atBusyPerson('person-apps', '?tab=apps'),
  atBusyPerson('person-topups', '?tab=topups'),
  atBusyPerson('person-indebted', '', async (page) => {
    await chooseMore(page, 'Erase person')
    await expect(page.getByRole('dialog').getByText(/The balance is|There is a debt/)).toBeVisible()
  }),
  atPerson('person-more', async (page) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Erase person' })).toBeVisible()
  }),
  atBusyPerson('person-filters', '?type=credit', async (page) => {
    const fold = page.getByRole('button', { name: 'Filters (1)' })
    if (await fold.isVisible()) await fold.click()
    await expect(page.getByLabel('Direction')).toBeVisible()
  }),
  atPerson('person-freeze', async (page) => {
    await chooseMore(page, 'Freeze wallet')
    await page.getByRole('button', { name: 'Freeze', exact: true }).click()
    await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  }),
  atPerson('person-erase', async (page) => {
    await chooseMore(page, 'Erase person')
    await expect(page.getByLabel('Reason')).toBeVisible()
  }),
  atPerson('person-erased', async (page, tools, id) => {
    await tools.admin.query('delete from directory.people where service_user_id = $1', [id])
    await page.reload()
    await expect(page.getByText('This person was erased.')).toBeVisible()
  }),
]
