/** A service with four hosts. Chromium resolves all names below localhost to this machine; backends use the address. */
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { stripeEnv } from '../sandbox/stripe-env.ts'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { test as base } from './setup.ts'
import { startService } from './start-service.ts'

export interface Hosts {
  public: string
  account: string
  admin: string
  docs: string
  /** One line per request. */
  log: string[]
}

export const test = base.extend<{ port: number; hosts: Hosts }>({
  // eslint-disable-next-line no-empty-pattern
  port: async ({}, use) => {
    const [port = 0] = await findFreePorts(1)
    await use(port)
  },
  hosts: async ({ port }, use) => {
    const hosts = {
      public: `http://127.0.0.1:${port}`,
      account: `http://account.coffer.localhost:${port}`,
      admin: `http://admin.coffer.localhost:${port}`,
      docs: `http://docs.coffer.localhost:${port}`,
    }
    const sandbox = await startSandbox()
    const service = await startService({
      ...stripeEnv(sandbox),
      PORT: `${port}`,
      PUBLIC_URL: hosts.public,
      ACCOUNT_URL: hosts.account,
      ADMIN_URL: hosts.admin,
      DOCS_URL: hosts.docs,
      PASSKEY_RP_ID: 'admin.coffer.localhost',
    })
    await use({ ...hosts, log: service.output })
    await service.kill('SIGKILL')
    await sandbox.close()
  },
})
