import { expect } from '@playwright/test'
import { unlink } from '../server/identity/link.ts'
import { agree, logIn, seesWallet, signUp } from './sign-in.ts'
import {
  messagesOf,
  newPerson,
  SERVICE,
  test,
  typesOf,
  widgetIn,
  type StorageMode,
} from './setup.ts'

for (const storageMode of ['blocked', 'allowed'] as const satisfies readonly StorageMode[]) {
  test.describe(`third-party storage ${storageMode}`, () => {
    test.use({ storageMode })

    test('linking, from no session to the wallet (5.7 a–f)', async ({ window, makeShop }) => {
      const shop = await makeShop({}, { parameters: { state: 'st-42' } })
      const person = newPerson()
      await window.goto(shop.origin)
      const widget = widgetIn(window)
      await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
      await expect.poll(() => typesOf(window)).toEqual(['SERVICE_AUTH_REQUIRED'])
      await signUp(widget, person)
      await seesWallet(widget, person)
      await expect.poll(() => typesOf(window)).toContain('SERVICE_WALLET_LOADED')

      const messages = await messagesOf(window)
      const success = messages.find(({ data }) => data.type === 'SERVICE_AUTH_SUCCESS')
      expect(success?.origin).toBe(SERVICE())
      expect(success?.data).toEqual({
        type: 'SERVICE_AUTH_SUCCESS',
        version: 1,
        serviceUserId: shop.serviceUserId,
        linkCode: expect.stringMatching(/^lc_/),
        state: 'st-42',
      })
      expect(await typesOf(window)).toEqual([
        'SERVICE_AUTH_REQUIRED',
        'SERVICE_AUTH_SUCCESS',
        'SERVICE_WALLET_LOADED',
      ])
      const required = messages.find(({ data }) => data.type === 'SERVICE_AUTH_REQUIRED')
      expect(required?.data).toEqual({
        type: 'SERVICE_AUTH_REQUIRED',
        version: 1,
        reason: 'no_session',
      })
      const loaded = messages.find(({ data }) => data.type === 'SERVICE_WALLET_LOADED')
      expect(loaded?.data).toEqual({ type: 'SERVICE_WALLET_LOADED', version: 1 })
    })

    test('linking without a challenge: the id, and no link code', async ({ window, makeShop }) => {
      const shop = await makeShop()
      await window.goto(`${shop.origin}?frame=${encodeURIComponent(`${SERVICE()}/widget/wallet`)}`)
      await signUp(widgetIn(window), newPerson())
      await expect.poll(() => typesOf(window)).toContain('SERVICE_AUTH_SUCCESS')
      const messages = await messagesOf(window)
      const success = messages.find(({ data }) => data.type === 'SERVICE_AUTH_SUCCESS')
      const serviceUserId: unknown = expect.stringMatching(/^su_/)
      expect(success?.data).toEqual({ type: 'SERVICE_AUTH_SUCCESS', version: 1, serviceUserId })
    })

    test('switching accounts (5.8)', async ({ window, makeShop }) => {
      const shop = await makeShop()
      const [first, second] = [newPerson(), { ...newPerson(), firstName: 'Grace' }]
      await window.goto(shop.origin)
      const widget = widgetIn(window)
      await signUp(widget, first)
      await seesWallet(widget, first)
      const firstId = shop.serviceUserId
      await widget.getByRole('button', { name: 'Not you? Switch account' }).click()
      await widget.getByRole('button', { name: 'Switch account', exact: true }).click()
      await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
      await expect.poll(() => typesOf(window)).toContain('SERVICE_LOGOUT_REQUEST')
      await signUp(widget, second)
      await seesWallet(widget, second)
      expect(shop.serviceUserId).not.toBe(firstId)
      // The link of the first person is still active, so the login asks for no consent.
      await widget.getByRole('button', { name: 'Not you? Switch account' }).click()
      await widget.getByRole('button', { name: 'Switch account', exact: true }).click()
      await logIn(widget, first)
      await seesWallet(widget, first)
      expect(shop.serviceUserId).toBe(firstId)
    })

    test('a session expires, and a new one brings the wallet back', async ({
      window,
      makeShop,
      tools,
    }) => {
      const shop = await makeShop()
      const person = newPerson()
      await window.goto(shop.origin)
      const widget = widgetIn(window)
      await signUp(widget, person)
      await seesWallet(widget, person)
      // The database's clock decides; for this session five minutes pass now.
      await tools.admin.query(
        `update directory.widget_sessions s set expires_at = now() - interval '1 second'
         from directory.links l where l.public_id = s.link_public_id and l.client_app_id = $1`,
        [shop.app.id],
      )
      await expect(widget.getByRole('heading', { name: 'Your session has ended' })).toBeVisible({
        timeout: 15_000,
      })
      await expect
        .poll(async () => (await messagesOf(window)).at(-1)?.data)
        .toEqual({ type: 'SERVICE_AUTH_REQUIRED', version: 1, reason: 'session_expired' })
      await window.evaluate(() => (window as unknown as { start: () => Promise<void> }).start())
      await seesWallet(widget, person)
    })

    test('a reload of the frame keeps the session, and the URL does not show it', async ({
      window,
      makeShop,
    }) => {
      const shop = await makeShop()
      const person = newPerson()
      await window.goto(shop.origin)
      const widget = widgetIn(window)
      await signUp(widget, person)
      await seesWallet(widget, person)
      const frame = window.frames().find((each) => each.url().startsWith(SERVICE()))
      expect(frame?.url()).toBe(`${SERVICE()}/widget/wallet?clientId=${shop.app.clientId}`)
      const created = shop.sessions.length
      await frame?.evaluate(() => location.reload())
      await expect.poll(async () => (await typesOf(window)).filter(isLoaded).length).toBe(2)
      await seesWallet(widget, person)
      expect(shop.sessions.length).toBe(created)
      expect(await window.context().cookies()).toEqual([])
    })

    test('an unlink ends the session, and a new link has a new id', async ({
      window,
      makeShop,
      tools,
    }) => {
      const shop = await makeShop()
      const person = newPerson()
      await window.goto(shop.origin)
      const widget = widgetIn(window)
      await signUp(widget, person)
      await seesWallet(widget, person)
      const firstId = shop.serviceUserId
      const { rows } = await tools.admin.query(
        'select service_user_id from directory.people where email = $1',
        [person.email],
      )
      await unlink(tools.db, shop.app.id, BigInt(rows[0].service_user_id))
      await expect(widget.getByRole('heading', { name: 'Your session has ended' })).toBeVisible({
        timeout: 15_000,
      })
      await window.evaluate(() => (window as unknown as { start: () => Promise<void> }).start())
      await logIn(widget, person)
      await expect(widget.getByText('charge your wallet')).toBeVisible()
      await agree(widget)
      await seesWallet(widget, person)
      expect(shop.serviceUserId).not.toBe(firstId)
    })
  })
}

function isLoaded(type: string): boolean {
  return type === 'SERVICE_WALLET_LOADED'
}

test('a second client app links the same person, asks first, and sees nothing of the first', async ({
  window,
  makeShop,
}) => {
  const first = await makeShop({ name: 'First Shop' })
  const second = await makeShop({ name: 'Second Shop' })
  const person = newPerson()
  await window.goto(first.origin)
  await signUp(widgetIn(window), person)
  await seesWallet(widgetIn(window), person)
  const credited = await call(first, '/api/server/wallet/credit', {
    serviceUserId: first.serviceUserId,
    amount: 25,
    referenceType: 'GIFT',
    referenceId: 'first-secret-reference',
    description: 'first-secret-words',
  })
  expect(credited.status).toBe(200)

  await window.goto(second.origin)
  const widget = widgetIn(window)
  await logIn(widget, person)
  await expect(
    widget.getByRole('heading', { name: 'Second Shop would like to connect to your wallet' }),
  ).toBeVisible()
  await agree(widget)
  await seesWallet(widget, person, '$25.00')
  expect(second.serviceUserId).toMatch(/^su_/)
  expect(second.serviceUserId).not.toBe(first.serviceUserId)
  await expect(widget.getByText('Other app')).toBeVisible()
  const html = await window.frames()[1]?.content()
  expect(html).not.toContain('first-secret')

  // With the first app's id, or with its own session, the second app cannot access anything of the first.
  const stolen = await call(second, '/api/server/wallet/debit', {
    serviceUserId: first.serviceUserId,
    amount: 1,
    referenceType: 'X',
    referenceId: 'x-1',
  })
  expect(stolen.status).toBe(404)
  const session = second.sessions.at(-1)
  const seen = await fetch(`${SERVICE()}/api/widget/wallet?session=${session}`)
  expect(await seen.text()).not.toContain('first-secret')
  for (const path of ['/api/account', '/api/account/history']) {
    const response = await fetch(`${SERVICE()}${path}?session=${session}`, {
      headers: { cookie: `__Host-coffer=${session}` },
    })
    expect(response.status).toBe(401)
  }
})

test('balance changes made elsewhere are shown and reported', async ({ window, makeShop }) => {
  const shop = await makeShop()
  const person = newPerson()
  await window.goto(shop.origin)
  const widget = widgetIn(window)
  await signUp(widget, person)
  await seesWallet(widget, person)
  await call(shop, '/api/server/wallet/credit', {
    serviceUserId: shop.serviceUserId,
    amount: 12.34,
    referenceType: 'ORDER_REFUND',
    referenceId: 'refund-1',
    description: 'Refund of a teapot',
  })
  await expect(widget.getByText('$12.34', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await expect(widget.getByText('Refund of a teapot')).toBeVisible()
  await expect.poll(() => typesOf(window)).toContain('SERVICE_WALLET_UPDATED')
  await widget.getByRole('button', { name: 'Add money' }).click()
  await expect.poll(() => typesOf(window)).toContain('SERVICE_OPEN_TOPUP')
})

async function call(
  shop: { app: { clientId: string; clientSecret: string } },
  path: string,
  fields: object,
) {
  const { clientId, clientSecret } = shop.app
  return fetch(SERVICE() + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, ...fields }),
  })
}
