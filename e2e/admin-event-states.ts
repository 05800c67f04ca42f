/** The events of a client app, for admin-states.ts. */
import { expect, type Page } from '@playwright/test'
import { untilNumbered } from '../server/test/events/feed-setup.ts'
import { makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import type { Tools } from './setup.ts'

export async function openEvents(page: Page, tools: Tools) {
  const app = await makeClientApp(tools, { name: 'Tea House' })
  await tools.admin.query(
    `insert into events.outbox (client_app_id, type, data)
     select $1, type, data::jsonb from (values
       ('link.created', '{"serviceUserId": "su_2f1c9d0e5b7a4c3f8e6d1a2b3c4d5e6f"}'),
       ('balance.changed', '{"serviceUserId": "su_2f1c9d0e5b7a4c3f8e6d1a2b3c4d5e6f", "balanceMinor": "4250"}'),
       ('client_app.changed', '{"changes": ["allowedOrigins", "getsBalanceEvents"]}'),
       ('link.ended', '{"serviceUserId": "su_2f1c9d0e5b7a4c3f8e6d1a2b3c4d5e6f", "reason": "user"}')
     ) as added (type, data)`,
    [app.id],
  )
  await untilNumbered(tools.admin)
  await enterAdmin(page, tools, 'viewer', `/client-apps/${app.clientId}?tab=events`)
  await expect(page.getByRole('table', { name: 'Events' })).toBeVisible()
}

export const EVENT_STATES: readonly PageState[] = [
  {
    name: 'app-events-empty',
    async open(page, tools) {
      const app = await makeClientApp(tools, { name: 'Tea House' })
      await enterAdmin(page, tools, 'viewer', `/client-apps/${app.clientId}?tab=events`)
      await expect(page.getByText('No events yet')).toBeVisible()
    },
  },
  {
    name: 'app-events',
    async open(page, tools) {
      await openEvents(page, tools)
      const table = page.getByRole('table', { name: 'Events' })
      await table.getByRole('button', { expanded: false }).nth(2).click()
      await expect(table.getByText('"balance": 42.5')).toBeVisible()
    },
  },
]
