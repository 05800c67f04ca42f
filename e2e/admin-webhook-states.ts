/** The webhooks of a client app, for admin-states.ts. */
import { expect, type Page } from '@playwright/test'
import { addEvents, openWebhook, untilRecorded } from '../server/test/events/webhook-setup.ts'
import { untilNumbered } from '../server/test/events/feed-setup.ts'
import { makeClientApp } from '../server/test/factories.ts'
import type { PageState } from './page-state.ts'
import { enterAdmin } from './operator.ts'
import type { Tools } from './setup.ts'

/** For tests, receivers on this machine are allowed. */
export function serviceOf(tools: Tools) {
  return {
    context: { ...tools, config: { ...tools.config, allowsLoopbackWebhooks: true } },
    admin: tools.admin,
  }
}

/** Three webhooks: one that works, one that fails, one that is disabled. */
async function openList(page: Page, tools: Tools) {
  const service = serviceOf(tools)
  const app = await makeClientApp(tools, { name: 'Tea House' })
  const [good, failing, gone] = [
    await openWebhook(service, { app }),
    await openWebhook(service, { app, types: ['link.ended', 'topup.credited'] }),
    await openWebhook(service, { app }),
  ]
  failing.receiver.respond = (response) => response.writeHead(500).end('database is locked')
  gone.receiver.respond = (response) => response.writeHead(410).end()
  await tools.admin.query(
    `insert into events.outbox (client_app_id, type, data) values ($1, 'link.ended',
       '{"serviceUserId": "su_2f1c9d0e5b7a4c3f8e6d1a2b3c4d5e6f", "reason": "user"}')`,
    [app.id],
  )
  await addEvents(tools, app, 3)
  await untilRecorded(tools, good)
  // The first attempt disables it, and the other deliveries then have none.
  await untilDisabled(tools, gone)
  await untilFailed(tools, failing)
  // The one that is gone causes another event.
  await untilNumbered(tools.admin)
  await untilRecorded(tools, good)
  await tools.admin.query(
    `update events.webhooks set url = case id when $1 then 'https://tea.example/webhooks'
       when $2 then 'https://staging.tea.example/webhooks' else 'https://old.tea.example/events' end,
       description = case id when $1 then 'Production' when $2 then 'Staging' else '' end,
       due_at = null
     where client_app_id = $3`,
    [good.id, failing.id, app.id],
  )
  for (const { receiver } of [good, failing, gone]) receiver.close()
  await enterAdmin(page, tools, 'operator', `/webhooks/${app.clientId}`)
  await expect(page.getByText('Disabled')).toBeVisible()
}

async function untilDisabled(tools: Tools, { id }: { id: string }) {
  const sql = 'select from events.webhooks where id = $1 and disabled_at is not null'
  const count = async () => (await tools.admin.query(sql, [id])).rowCount
  await expect.poll(count, { timeout: 30_000 }).toBe(1)
}

/** A webhook rests after a failure, so its other deliveries can be without an attempt. */
async function untilFailed(tools: Tools, { id }: { id: string }) {
  const sql = 'select from events.deliveries where webhook_id = $1 and failures > 0'
  const count = async () => (await tools.admin.query(sql, [id])).rowCount
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(0)
}

async function openDialog(page: Page, tools: Tools) {
  const app = await makeClientApp(tools, { name: 'Tea House' })
  await enterAdmin(page, tools, 'operator', `/webhooks/${app.clientId}`)
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

async function openPage(page: Page, tools: Tools, url: string) {
  await openList(page, tools)
  await page.getByRole('link', { name: `Deliveries to ${url}` }).click()
  await expect(page.getByRole('button', { name: 'Send a test event' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Deliveries' })).toBeVisible()
}

export const WEBHOOK_STATES: readonly PageState[] = [
  {
    name: 'webhooks-empty',
    async open(page, tools) {
      const app = await makeClientApp(tools, { name: 'Tea House' })
      await enterAdmin(page, tools, 'operator', `/webhooks/${app.clientId}`)
      await expect(page.getByText('No webhooks yet')).toBeVisible()
    },
  },
  { name: 'webhooks', open: openList },
  { name: 'webhooks-create', open: openDialog },
  {
    name: 'webhooks-create-wrong',
    async open(page, tools) {
      await openDialog(page, tools)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('https://10.0.0.1/webhooks')
      await dialog.getByLabel('Only some types').check()
      await dialog.getByLabel('link.ended').check()
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByText(/must lead to a public address/)).toBeVisible()
    },
  },
  {
    name: 'webhooks-secret',
    async open(page, tools) {
      await openDialog(page, tools)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('https://93.184.215.14/webhooks')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByText(/^whsec_/).first()).toBeVisible()
    },
  },
  {
    name: 'webhooks-deliveries',
    open: (page, tools) => openPage(page, tools, 'https://tea.example/webhooks'),
  },
  {
    name: 'webhooks-failing',
    async open(page, tools) {
      await openPage(page, tools, 'https://staging.tea.example/webhooks')
      const table = page.getByRole('table', { name: 'Deliveries' })
      await table.getByRole('button', { expanded: false }).first().click()
      await expect(table.getByText('database is locked').first()).toBeVisible()
    },
  },
  {
    name: 'webhooks-replay',
    async open(page, tools) {
      await openPage(page, tools, 'https://old.tea.example/events')
      await page.getByRole('button', { name: 'Send missed events again' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
