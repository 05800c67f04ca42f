/** Shared by the browser tests: the service's own functions to prepare data, shops on another site, both storage modes. */
import {
  type BrowserContext,
  chromium,
  type FrameLocator,
  type Page,
  test as base,
} from '@playwright/test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type Config, readConfig } from '../server/config.ts'
import { createPool } from '../server/database/connect.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { makeClientApp, type TestApp } from '../server/test/factories.ts'
import { connectAdmin, testEnv } from '../server/test/harness.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import type { NewClientApp } from '../server/client-app/create-client-app.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'

export const SERVICE = () => process.env['SERVICE_URL'] ?? ''
const databaseUrl = () => process.env['SERVICE_DATABASE_URL'] ?? ''

export interface Tools {
  db: pg.Pool
  ledger: Ledger
  config: Config
  admin: pg.Client
}

export type StorageMode = 'blocked' | 'allowed'

const VIEWPORT = { width: 420, height: 900 }

interface Fixtures {
  /** Whether the browser lets embedded sites store anything; blocked is its default. */
  storageMode: StorageMode
  tools: Tools
  /** Opens a shop with its own client app, which may embed the widget. */
  makeShop: (
    app?: Partial<NewClientApp>,
    options?: Partial<ShopOptions>,
  ) => Promise<Shop & { app: TestApp }>
  browserContext: BrowserContext
  window: Page
}

export const test = base.extend<Fixtures>({
  storageMode: ['blocked', { option: true }],
  // eslint-disable-next-line no-empty-pattern
  tools: async ({}, use) => {
    const config = readConfig(testEnv(databaseUrl()))
    const db = createPool(config.databaseUrl, { size: 2, barrier: false })
    const ledger = new Ledger({ databaseUrl: config.databaseUrl })
    const admin = await connectAdmin(config.databaseUrl)
    await use({ db, ledger, config, admin })
    // A test that paused writes, or failed while they were paused, must not affect the next one.
    await ledger.setPause(null)
    await admin.end()
    await ledger.close()
    await db.end()
  },
  makeShop: async ({ tools }, use) => {
    const shops: (Shop & { app: TestApp })[] = []
    await use(async (app = {}, options = {}) => {
      const shop = await openShop({ serviceUrl: SERVICE(), ...options })
      const made = await makeClientApp(tools, {
        name: 'Corner Shop',
        allowedIframeParents: [shop.origin],
        ...app,
      })
      const opened = Object.assign(shop, { app: made })
      shops.push(opened)
      return opened
    })
    for (const shop of shops) {
      // Another test may get the same port, and with it the same origin.
      await activateClientApp(tools.db, shop.app.clientId, false)
      await shop.close()
    }
  },
  // The tests of a worker share a browser, because starting one takes seconds. Storage is allowed by a setting of the
  // profile, so that needs a browser of its own.
  browserContext: async ({ storageMode, browser }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-browser-'))
    const context =
      storageMode === 'blocked'
        ? await browser.newContext({ viewport: VIEWPORT })
        : await openAllowingBrowser(folder)
    await use(context)
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  },
  window: async ({ browserContext }, use) => {
    await use(browserContext.pages()[0] ?? (await browserContext.newPage()))
  },
})

function openAllowingBrowser(folder: string): Promise<BrowserContext> {
  const profile = { cookie_controls_mode: 0, block_third_party_cookies: false }
  mkdirSync(join(folder, 'Default'))
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }))
  return chromium.launchPersistentContext(folder, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
    viewport: VIEWPORT,
  })
}

export function widgetIn(page: Page): FrameLocator {
  return page.frameLocator('iframe')
}

export interface Message {
  origin: string
  data: { type: string; [field: string]: unknown }
}

export function messagesOf(page: Page): Promise<Message[]> {
  return page.evaluate(() => (window as unknown as { messages: Message[] }).messages)
}

/** Without the messages about the height, which depend on the layout. */
export async function typesOf(page: Page): Promise<string[]> {
  const types = (await messagesOf(page)).map(({ data }) => data.type)
  return types.filter((type) => type !== 'SERVICE_RESIZED')
}

let people = 0

export function newPerson() {
  people++
  return {
    firstName: 'Ada',
    lastName: 'Example',
    email: `ada-${process.pid}-${Date.now()}-${people}@example.com`,
    password: 'a long sentence about tea',
  }
}
export type NewPerson = ReturnType<typeof newPerson>
