/** A service with four hosts, and requests to the host that serves them. */
import type { InjectOptions } from 'fastify'
import { ADMIN_ENV } from './admin-setup.ts'
import type { Harness } from './harness.ts'

export const HOSTS = {
  public: 'wallet.example',
  account: 'account.wallet.example',
  admin: 'admin.wallet.example',
  docs: 'docs.wallet.example',
} as const
export type HostName = keyof typeof HOSTS

export const SEPARATE_ENV = {
  ...ADMIN_ENV,
  ALLOW_UNVERIFIED_EMAIL: 'true',
  PUBLIC_URL: `https://${HOSTS.public}`,
  ACCOUNT_URL: `https://${HOSTS.account}`,
  ADMIN_URL: `https://${HOSTS.admin}`,
  DOCS_URL: `https://${HOSTS.docs}`,
  PASSKEY_RP_ID: HOSTS.admin,
}

/** The harness as a browser uses it: each request goes to this host, unless it has another one. */
export function atHost(harness: Harness, host: string): Harness {
  return {
    ...harness,
    inject: (options: InjectOptions) =>
      harness.inject({ ...options, headers: { host, ...options.headers } }),
  }
}
