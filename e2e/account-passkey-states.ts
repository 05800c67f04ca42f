/** Passkeys at /account, for account-states.ts. */
import { expect, type Page } from '@playwright/test'
import type { PageState } from './page-state.ts'
import { addOwnPasskey, enterProfileAtLocalhost, makeOwner, type Owner } from './owner.ts'
import { addAuthenticator, localhostUrl } from './passkeys.ts'
import type { Tools } from './setup.ts'

async function openPasskeys(page: Page, tools: Tools): Promise<Owner> {
  await addAuthenticator(page)
  const owner = await makeOwner(tools)
  await enterProfileAtLocalhost(page, owner)
  await page.getByRole('heading', { name: 'Passkeys' }).scrollIntoViewIfNeeded()
  return owner
}

/** With as many passkeys as are possible; a copy of one was used. */
async function openFull(page: Page, tools: Tools) {
  const owner = await openPasskeys(page, tools)
  await addOwnPasskey(page, owner, 'My phone')
  await tools.admin.query(
    `insert into directory.passkeys (service_user_id, credential_id, public_key, sign_count, transports, name, last_used_at, copied_at)
     select $1::bigint, sha256((n || ' ' || $1::bigint)::bytea), '', 0, '{usb}',
       case when n = 3 then 'The security key in the upper drawer of the desk at home' else 'Laptop ' || n end,
       now(), case when n = 2 then now() end
     from generate_series(2, 10) n`,
    [owner.id],
  )
  await page.reload()
  await expect(page.getByText('You have reached the maximum number')).toBeVisible()
  await page.getByRole('heading', { name: 'Passkeys' }).scrollIntoViewIfNeeded()
}

export const PASSKEY_STATES: PageState[] = [
  {
    name: 'log-in-passkey',
    async open(page) {
      await page.goto(localhostUrl('', '/account'))
      await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
    },
  },
  {
    name: 'log-in-passkey-failed',
    async open(page) {
      await addAuthenticator(page)
      await page.goto(localhostUrl('', '/account'))
      await page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await expect(page.getByText('No passkey was used')).toBeVisible()
    },
  },
  { name: 'passkeys-empty', open: async (page, tools) => void (await openPasskeys(page, tools)) },
  { name: 'passkeys-full', open: openFull },
  {
    name: 'passkeys-add',
    async open(page, tools) {
      await openPasskeys(page, tools)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
    },
  },
  {
    name: 'passkeys-add-wrong',
    async open(page, tools) {
      await openPasskeys(page, tools)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password', { exact: true }).fill('wrong')
      await dialog.getByLabel('Name').fill('My phone')
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await expect(dialog.getByText('This is not your password.')).toBeVisible()
    },
  },
  {
    name: 'passkeys-rename',
    async open(page, tools) {
      const owner = await openPasskeys(page, tools)
      await addOwnPasskey(page, owner, 'My phone')
      await page.getByRole('button', { name: 'Rename the passkey My phone' }).click()
    },
  },
  {
    name: 'passkeys-remove',
    async open(page, tools) {
      const owner = await openPasskeys(page, tools)
      await addOwnPasskey(page, owner, 'My phone')
      await page.getByRole('button', { name: 'Remove the passkey My phone' }).click()
    },
  },
]
