/** A client app that embeds the widget: its origins, its user and the sessions that its backend creates. */
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { NewClientApp } from '../client-app/create-client-app.ts'
import { makeClientApp, makeLinkedUser } from './factories.ts'
import { call, type Setup } from './setup.ts'

export interface Shop extends Setup {
  /** Its allowedIframeParents, unless it was opened with others. */
  parents: [string, string]
  /** Its one allowedOrigin. */
  opener: string
}

/** An app with a linked user and unique origins. */
export async function openShop(setup: Setup, about: Partial<NewClientApp> = {}): Promise<Shop> {
  const { context } = setup.harness
  const name = randomBytes(4).toString('hex')
  const parents: Shop['parents'] = [`https://${name}.example`, `https://m.${name}.example:8443`]
  const opener = `https://pay.${name}.example`
  const origins = { allowedIframeParents: parents, allowedOrigins: [opener] }
  const app = await makeClientApp(context, { ...origins, ...about })
  return { ...setup, app, user: await makeLinkedUser(context, app), parents, opener }
}

export async function mintSession(shop: Setup, parentOrigin?: string): Promise<string> {
  const fields = { serviceUserId: shop.user.serviceUserId, parentOrigin }
  const response = await call(shop, createSession, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ sessionToken: string }>().sessionToken
}
