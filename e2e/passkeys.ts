/** A browser with passkeys, at an address that supports them: browsers do not support them for 127.0.0.1. */
import { expect, type CDPSession, type Page } from '@playwright/test'
import { enroll, type NewOperator } from './operator.ts'
import { SERVICE, type Tools } from './setup.ts'

/** The same service under localhost, the only name that needs no configuration. */
export function localhostUrl(path = '', area = '/admin'): string {
  const url = new URL(`${area}${path}`, SERVICE())
  url.hostname = 'localhost'
  return url.href
}

export interface Key {
  /** Whether its user can unlock it. */
  setVerified: (isVerified: boolean) => Promise<void>
  /** Number of passkeys on it. */
  count: () => Promise<number>
  /** Replaces its passkeys by copies that have not signed anything yet. */
  becomeCopy: () => Promise<void>
}

/** Built into the device, like a fingerprint reader. */
export async function addAuthenticator(page: Page): Promise<Key> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async count() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async becomeCopy() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      for (const credential of credentials) {
        const { credentialId } = credential
        await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
        const copy = { ...credential, signCount: 0 }
        await session.send('WebAuthn.addCredential', { authenticatorId, credential: copy })
      }
    },
  }
}

/** Returns with the operator logged in on the page of that path. */
export async function enterAdminAtLocalhost(page: Page, operator: NewOperator, path = '/sign-in') {
  await page.goto(localhostUrl(path))
  await page.getByLabel('Email').fill(operator.email)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const totp = await enroll(page)
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible()
  return totp
}

export async function addPasskey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(`Passkey added: ${name}.`)).toBeVisible()
}

/** As if five minutes had passed. */
export async function expireConfirmation({ admin }: Tools, email: string) {
  await admin.query(
    `update admin.log_ins set confirmed_at = now() - interval '6 minutes'
     where operator_id = (select id from admin.operators where email = $1)`,
    [email],
  )
}

/** As if the operator had also logged in elsewhere. */
export async function addLogIns({ admin }: Tools, email: string, count: number) {
  await admin.query(
    `insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
     select sha256((o.id || ' ' || n)::bytea), o.id, '203.0.113.' || n, 'Firefox on Linux', now() + interval '1 hour'
     from generate_series(1, $2::int) n, admin.operators o where o.email = $1`,
    [email, count],
  )
}
