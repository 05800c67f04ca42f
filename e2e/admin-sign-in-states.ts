/** The pages for passkeys and the operator's own sign-in, for screenshots. */
import { expect, type Page } from '@playwright/test'
import type { PageState } from './page-state.ts'
import { enroll, giveCredentials, makeOperator } from './operator.ts'
import {
  addPasskey,
  addLogIns,
  addAuthenticator,
  enterAdminAtLocalhost,
  localhostUrl,
  expireConfirmation,
} from './passkeys.ts'
import type { Tools } from './setup.ts'

const INITIAL_PASSWORD = true

/** An operator with two passkeys and a second login. */
async function openOwnPage(page: Page, tools: Tools): Promise<string> {
  const operator = await makeOperator(tools, 'owner')
  await addLogIns(tools, operator.email, 2)
  await addAuthenticator(page)
  await enterAdminAtLocalhost(page, operator)
  await addPasskey(page, 'Work laptop')
  await tools.admin.query(
    `insert into admin.passkeys (operator_id, credential_id, public_key, sign_count, transports, name)
     select operator_id, sha256(credential_id), public_key, 0, '{usb}', 'Telephone' from admin.passkeys
     where operator_id = (select id from admin.operators where email = $1)`,
    [operator.email],
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Active logins' })).toBeVisible()
  return operator.email
}

async function enterWithInitialPassword(page: Page, tools: Tools, path: string) {
  await giveCredentials(page, await makeOperator(tools, 'operator', INITIAL_PASSWORD), path)
  await enroll(page)
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('You are using your initial password').first()).toBeVisible()
}

export const SELF_STATES: readonly PageState[] = [
  {
    name: 'log-in-passkey-failed',
    async open(page) {
      await addAuthenticator(page)
      await page.goto(localhostUrl())
      await page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await expect(page.getByText('No passkey was used')).toBeVisible()
    },
  },
  {
    name: 'initial-password',
    open: (page, tools) => enterWithInitialPassword(page, tools, '/client-apps'),
  },
  {
    name: 'me-initial-password',
    async open(page, tools) {
      await enterWithInitialPassword(page, tools, '/sign-in')
      await expect(page.getByText('Passkeys work at localhost.')).toBeVisible()
    },
  },
  {
    name: 'me',
    open: async (page, tools) => void (await openOwnPage(page, tools)),
  },
  {
    name: 'me-add-passkey',
    async open(page, tools) {
      await enterAdminAtLocalhost(page, await makeOperator(tools, 'viewer'))
      await page.getByRole('button', { name: 'Add a passkey' }).click()
    },
  },
  {
    name: 'me-recovery-codes',
    async open(page, tools) {
      await enterAdminAtLocalhost(page, await makeOperator(tools, 'viewer'))
      await page.getByRole('button', { name: 'Renew recovery codes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click()
      await expect(page.getByRole('dialog').locator('code')).toHaveCount(10)
    },
  },
  {
    name: 'me-confirm-by-passkey',
    async open(page, tools) {
      await expireConfirmation(tools, await openOwnPage(page, tools))
      await page.getByRole('button', { name: 'Remove the passkey Telephone' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByRole('button', { name: 'Confirm with a passkey' })).toBeVisible()
    },
  },
]
