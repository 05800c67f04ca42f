/** All pages of the admin area, for screenshots, on the real service. */
import { expect } from '@playwright/test'
import { makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { OVERVIEW_STATES } from './admin-overview-states.ts'
import { ADMIN_HOLD_STATES } from './admin-hold-states.ts'
import { PEOPLE_STATES } from './admin-people-states.ts'
import { SECRET_STATES } from './admin-secret-states.ts'
import { SELF_STATES } from './admin-sign-in-states.ts'
import { CREDIT_LIMIT_STATES } from './admin-limit-states.ts'
import { MONEY_STATES } from './admin-grants-states.ts'
import { SWITCH_STATES } from './admin-switches-states.ts'
import { EVENT_STATES } from './admin-event-states.ts'
import { WEBHOOK_STATES } from './admin-webhook-states.ts'
import { OPERATION_STATES, ADMIN_TOPUP_STATES } from './admin-topups-states.ts'
import { enroll, enterAdmin, giveCredentials, makeOperator } from './operator.ts'
import { SERVICE, type Tools } from './setup.ts'

async function makeApps(tools: Tools) {
  await makeClientApp(tools, { name: 'Corner Shop', creditLimit: 1_000_00n })
  return makeClientApp(tools, {
    name: 'Tea House',
    accentColor: '#0a7c66',
    allowedOrigins: ['https://tea.example'],
    allowedIframeParents: [`https://tea-${Date.now()}.example`],
  })
}

function atApp(name: string, tab?: string): PageState {
  return {
    name,
    async open(page, tools) {
      const { clientId } = await makeApps(tools)
      await enterAdmin(page, tools, 'owner', `/client-apps/${clientId}`)
      await expect(page.getByRole('heading', { name: 'Tea House' })).toBeVisible()
      if (tab)
        await page
          .getByRole('link', { name: tab })
          .or(page.getByRole('tab', { name: tab }))
          .first()
          .click()
    },
  }
}

function atPath(name: string, path: string, heading: string): PageState {
  return {
    name,
    async open(page, tools) {
      await makeApps(tools)
      await enterAdmin(page, tools, 'owner', path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    },
  }
}

export const ADMIN_STATES: readonly PageState[] = [
  {
    name: 'log-in',
    async open(page) {
      await page.goto(`${SERVICE()}/admin`)
      await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    },
  },
  {
    name: 'log-in-wrong',
    async open(page) {
      await giveCredentials(page, { email: 'nobody@example.com', password: 'not mine' })
      await expect(page.getByText('The email or password is wrong.')).toBeVisible()
    },
  },
  {
    name: 'enroll',
    async open(page, tools) {
      await giveCredentials(page, await makeOperator(tools, 'owner'))
      await expect(page.getByRole('heading', { name: 'Set up your authenticator' })).toBeVisible()
    },
  },
  {
    name: 'recovery',
    async open(page, tools) {
      await giveCredentials(page, await makeOperator(tools, 'owner'))
      await enroll(page)
    },
  },
  ...OVERVIEW_STATES,
  atPath('client-apps', '/client-apps', 'Client apps'),
  atPath('register', '/client-apps/new', 'Register a client app'),
  atApp('client-app'),
  atApp('client-app-secrets', 'Secrets'),
  ...SECRET_STATES,
  ...WEBHOOK_STATES,
  ...EVENT_STATES,
  atApp('client-app-integration', 'Integration'),
  ...PEOPLE_STATES,
  ...ADMIN_HOLD_STATES,
  ...OPERATION_STATES,
  ...ADMIN_TOPUP_STATES,
  ...MONEY_STATES,
  ...CREDIT_LIMIT_STATES,
  atPath('operators', '/operators', 'Operators'),
  atPath('audit', '/audit', 'Audit log'),
  ...SWITCH_STATES,
  ...SELF_STATES,
  atPath('not-found', '/nowhere', 'Page not found'),
]
