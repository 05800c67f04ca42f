import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { chooseMore, makeBusyPerson, makeNamedPerson } from './admin-people-states.ts'
import { enterAdmin } from './operator.ts'
import { SERVICE, test, type Tools } from './setup.ts'

const ENTRIES = 60_000

/** A person with a long history; the hashes of the chain are not computed. */
async function makeLongHistory({ admin }: Tools, walletId: bigint) {
  await admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
        reference_type, reference_id, description, hash)
      select $1, n, 1, n, now(), 2, 'bonus', 'BONUS', 'gift-' || n, 'Said "hello", =1+1', decode(repeat('00', 32), 'hex')
      from generate_series(1, ${ENTRIES}) n`,
    [walletId],
  )
  await admin.query(
    `update ledger.wallets set seq = ${ENTRIES}, balance = ${ENTRIES} where id = $1`,
    [walletId],
  )
}

async function act(page: Page, open: string, submit: string, reason: string) {
  await chooseMore(page, open)
  await page.getByLabel('Reason').fill(reason)
  await page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).click()
}

test('an operator finds a person by serviceUserId, and freezes and unfreezes the wallet', async ({
  window: page,
  tools,
}) => {
  const { id, walletId, serviceUserId } = await makeBusyPerson(tools)
  await enterAdmin(page, tools, 'operator', '/people')
  await page.getByLabel('Search', { exact: true }).fill(serviceUserId)
  const row = page.getByRole('link', { name: 'Grace van der Hopper-Murray' })
  await expect(row).toHaveCount(1)
  await row.click()
  await expect(page).toHaveURL(`${SERVICE()}/admin/people/${id}`)
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.click()
  await expect(page.getByRole('button', { name: 'Freeze wallet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erase person' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await expect(page.getByRole('button', { name: 'Freeze wallet' })).toBeHidden()

  await act(page, 'Freeze wallet', 'Freeze', 'Stolen phone,\nticket 4711')
  await expect(page.getByText('The wallet is frozen.')).toBeFocused()
  expect((await tools.ledger.readWallet(walletId))?.isActive).toBe(false)
  await expect(page.getByText('This wallet is frozen. Debits and new top-ups')).toBeVisible()
  await act(page, 'Unfreeze wallet', 'Unfreeze', 'Phone found')
  await expect(page.getByText('The wallet is active again.')).toBeFocused()
  expect((await tools.ledger.readWallet(walletId))?.isActive).toBe(true)

  await page.getByRole('link', { name: 'Audit log of this person' }).click()
  await expect(page.getByText('wallet.unfreeze')).toBeVisible()
  // Reads of the person are in the log, too.
  const freeze = page.getByRole('row').filter({ hasText: 'wallet.freeze' })
  await freeze.getByRole('button', { name: /^\d/ }).click()
  await expect(page.getByText('Stolen phone, ticket 4711')).toBeVisible()
})

test('the filters of a history are in the URL', async ({ window: page, tools }) => {
  const { id } = await makeBusyPerson(tools)
  await enterAdmin(page, tools, 'viewer', `/people/${id}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(7)
  const fold = page.getByRole('button', { name: 'Filters' })
  await expect(page.getByLabel('Client app')).toBeHidden()
  await fold.click()
  await page.getByLabel('Client app').selectOption('Corner Shop')
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Direction').selectOption('In')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/type=credit&clientId=app_/)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(fold).toHaveText('Filters (2)')
  await page.getByLabel('Search', { exact: true }).fill('nothing like it')
  await expect(page.getByText('No results')).toBeVisible()
  await expect(page.getByRole('button', { name: 'More', exact: true })).toHaveCount(0)
})

test('a long history is searched to its end and downloaded, and a download can be canceled', async ({
  window: page,
  tools,
}) => {
  const { id, walletId } = await makeNamedPerson(tools)
  await makeLongHistory(tools, walletId)
  await page.setViewportSize({ width: 1280, height: 900 })
  await enterAdmin(page, tools, 'viewer', `/people/${id}`)
  await expect(page.getByText('60,000 entries, newest first.')).toBeVisible()

  const start = page.getByRole('button', { name: 'Download CSV' })
  await start.click()
  await expect(page.getByRole('progressbar', { name: 'Download' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Canceled. Nothing was saved.')).toBeVisible()
  await expect(start).toBeFocused()

  // A canceled export is in progress until its last query has ended; meanwhile another one is refused.
  const download = page.waitForEvent('download', { timeout: 80_000 })
  const saved = page.getByText('was saved: 60,000 rows.')
  await expect(async () => {
    // While it runs, the button is disabled.
    if (!(await saved.isVisible()) && (await start.isEnabled())) await start.click()
    await expect(saved).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 80_000 })
  const file = await download
  expect(file.suggestedFilename()).toMatch(new RegExp(`^person-${id}-history-[\\d-]+\\.csv$`))
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(lines.length).toBe(1 + ENTRIES + 1)
  expect(lines[1]).toContain(`gift-${ENTRIES},"Said ""hello"", =1+1",`)

  await page.getByLabel('Search', { exact: true }).fill('gift-77 nobody')
  await expect(page.getByText('Try another search or fewer filters.')).toBeVisible({
    timeout: 20_000,
  })
  await page.getByLabel('Search', { exact: true }).fill('gift-77777')
  await page.getByLabel('Search', { exact: true }).fill('gift-59')
  await expect(page.getByRole('table').getByText('gift-59999')).toBeVisible()
})

test('an owner erases a person, who is then found by number only', async ({
  window: page,
  tools,
}) => {
  const { id } = await makeNamedPerson(tools, { firstName: 'Soon', lastName: 'Gone' })
  await enterAdmin(page, tools, 'owner', `/people/${id}`)
  await act(page, 'Erase person', 'Erase permanently', 'Asked for it in ticket 4712')
  await expect(page.getByText('This takes about ten seconds')).toBeVisible()
  await expect(page.getByText('The person was erased.')).toBeFocused({ timeout: 15_000 })
  await expect(page.getByRole('heading', { name: `Erased person ${id}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'More', exact: true })).toHaveCount(0)
  await page.goto(`${SERVICE()}/admin/people?search=Soon+Gone`)
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByLabel('Search', { exact: true }).fill(`person/${id}`)
  await expect(page.getByRole('link', { name: `Erased person ${id}` })).toBeVisible()
})
