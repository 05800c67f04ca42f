import { expect } from '@playwright/test'
import { expectAxeFindsNothing } from './expect-accessible.ts'
import { seesWallet, signUp } from './sign-in.ts'
import { test } from './embed-setup.ts'
import { newPerson, SERVICE, type StorageMode } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

const LOADED = 'SERVICE_WALLET_LOADED'
const LINKED = ['SERVICE_AUTH_REQUIRED', 'SERVICE_AUTH_SUCCESS', LOADED]

for (const storageMode of ['blocked', 'allowed'] as const satisfies readonly StorageMode[]) {
  test.describe(`the embed package, third-party storage ${storageMode}`, () => {
    test.use({ storageMode })

    test('links, renews a session that ended, switches accounts', async ({ embed }) => {
      const { page, shop } = embed
      const addresses: string[] = []
      page.context().on('request', (request) => addresses.push(request.url()))
      const [first, second] = [newPerson(), { ...newPerson(), firstName: 'Grace' }]
      await embed.open()
      await signUp(embed.widget, first)
      await seesWallet(embed.widget, first)
      const firstId = shop.serviceUserId ?? ''
      expect(firstId).toMatch(/^su_/)

      await page.getByLabel('Search').focus()
      await embed.endSessions()
      const renewed = [...LINKED, 'SERVICE_AUTH_REQUIRED', LOADED]
      await expect.poll(() => embed.events()).toEqual(renewed)
      await seesWallet(embed.widget, first)
      await expect(page.getByLabel('Search')).toBeFocused()

      await embed.switchAccount()
      await expect(embed.signIn).toBeVisible()
      expect(shop.serviceUserId).toBe(undefined)
      await signUp(embed.widget, second)
      await seesWallet(embed.widget, second)
      const opened = ['saveLink', 'fetchSession']
      expect(await embed.notes()).toEqual({
        events: [...renewed, 'SERVICE_LOGOUT_REQUEST', ...LINKED],
        errors: [],
        calls: ['fetchSession', ...opened, 'fetchSession', 'clearLink', ...opened],
      })
      expect(addresses.filter((address) => address.includes(firstId))).toEqual([])
      const states = addresses.flatMap(
        (address) => new URL(address).searchParams.get('state') ?? [],
      )
      expect(new Set(states).size).toBe(2)
    })
  })
}

test('a session is renewed before it ends, without any visible change', async ({ embed }) => {
  const { page, shop, frames } = embed
  await page.clock.install()
  await embed.openLinked()
  // The frame is as high as its content: nothing scrolls in it, and nothing is empty below it.
  const isFitting = () =>
    Math.abs(document.documentElement.scrollHeight - innerHeight) <= 1 && innerHeight !== 680
  await expect.poll(() => page.frames().at(1)?.evaluate(isFitting)).toBe(true)
  await embed.widget.getByRole('button', { name: 'Add money' }).focus()
  await page.clock.fastForward('04:31')
  await expect.poll(() => embed.events()).toEqual([LOADED, LOADED])
  await expect(embed.balance()).toBeVisible()
  await expect(frames).toBeFocused()
  // After the computer was asleep for a night, the old frame is not shown again.
  await page.clock.fastForward('08:00:00')
  await expect.poll(() => shop.sessions.length).toBe(3)
  await expect(embed.balance()).toBeVisible()
  await expect(frames).toBeFocused()
  expect((await embed.notes()).errors).toEqual([])
})

test('a missing response is reported after a while and can be retried', async ({ embed }) => {
  const { page, notice } = embed
  await page.clock.install()
  await embed.openLinked((it) => {
    it.backend.fetchSession = () => new Promise(() => {})
    it.mount()
  })
  await page.clock.fastForward(20_000)
  await expect(notice).toContainText('could not be opened')

  await embed.run(({ backend }) => {
    const sessionToken = `ws_${crypto.randomUUID()}`
    backend.fetchSession = async () => ({ sessionToken, expiresAt: 'soon' })
  })
  await embed.clickNotice()
  for (const ended of [2, 3]) {
    await expect.poll(async () => (await embed.events()).length).toBeGreaterThanOrEqual(ended)
    await page.clock.fastForward(4_000)
  }
  await expect(notice).toContainText('could not be opened')
  expect((await embed.notes()).calls.length).toBe(5)
  await embed.run(({ backend, real }) => Object.assign(backend, real))
  await embed.clickNotice()
  await expect(embed.balance()).toBeVisible()
  await expect(notice).toHaveCount(0)

  await embed.run((it) => {
    it.wallet.destroy()
    it.options.serviceUrl = 'http://127.0.0.1:9'
    it.mount()
  })
  await expect(embed.frames).toHaveCount(1)
  await page.clock.fastForward(15_000)
  await expect(notice).toContainText('could not be opened')
  // The frame contains the error page of the browser.
  await expect(embed.frames).toBeHidden()
  expect((await embed.notes()).errors).toEqual(['fetchSession', 'renewal', 'loadFrame'])
})

test('a failing backend is reported, and each step can be retried', async ({ embed }) => {
  const { notice, shop } = embed
  await embed.open((it) => {
    for (const name of ['fetchSession', 'saveLink', 'clearLink'] as const) {
      it.backend[name] = () => {
        Object.assign(it.backend, { [name]: it.real[name] })
        throw new Error('down')
      }
    }
    it.mount()
  })
  await expect(notice).toContainText('could not be opened')
  await embed.clickNotice()
  const person = newPerson()
  await signUp(embed.widget, person)
  await expect(notice).toContainText('could not be connected')
  await embed.clickNotice()
  await seesWallet(embed.widget, person)
  await embed.switchAccount()
  await expect(notice).toContainText('still connected')
  expect(shop.serviceUserId).not.toBe(undefined)
  await embed.clickNotice()
  await expect(embed.signIn).toBeVisible()
  expect((await embed.notes()).errors).toEqual(['fetchSession', 'saveLink', 'clearLink'])
})

test('topping up: one window, which reports when the money arrives', async ({ embed }) => {
  const { page } = embed
  await embed.openLinked()
  const opening = page.context().waitForEvent('page')
  await embed.click('Add money')
  const topup = await opening
  await expect(topup.getByRole('heading', { name: 'Add money' })).toBeVisible()
  // A payment in progress is not interrupted.
  await embed.click('Add money')
  await embed.run(({ wallet }) => wallet.openTopup())
  await chooseAmount(topup, '$25')
  await payByCard(topup, '4242424242424242')
  await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  await expect.poll(() => embed.events()).toContain('SERVICE_WALLET_UPDATED')
  expect(page.context().pages().length).toBe(2)
  // After the payment the same window starts again.
  await embed.click('Add money')
  await expect(topup.getByRole('button', { name: 'Continue' })).toBeVisible()
  await topup.close()
  await expect(embed.balance('$35.00')).toBeVisible({ timeout: 10_000 })
  expect((await embed.notes()).errors).toEqual([])
})

test('a blocked top-up window is offered again, a failed one explained', async ({ embed }) => {
  const { page, notice } = embed
  await embed.openLinked((it) => {
    const { open } = globalThis
    globalThis.open = () => {
      globalThis.open = open
      return null
    }
    it.mount()
  })
  await embed.click('Add money')
  await expect(notice).toContainText('Your browser blocked the top-up window')
  await expectAxeFindsNothing(page, { within: '#mount' })
  const opening = page.context().waitForEvent('page')
  await embed.clickNotice('Open it')
  const topup = await opening
  await expect(topup.getByRole('heading', { name: 'Add money' })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await topup.close()

  await embed.run(({ backend }) => {
    backend.fetchSession = () => Promise.reject(new Error('down'))
  })
  await embed.click('Add money')
  await expect(notice).toContainText('Nothing was charged')
  await expect.poll(() => page.context().pages().length).toBe(1)
  expect((await embed.notes()).errors).toEqual(['fetchSession'])
})

test('only messages of the wallet itself, with its own state, count', async ({ embed }) => {
  const { shop, frames, notice } = embed
  await embed.open()
  await expect(embed.signIn).toBeVisible()
  await expect(frames).toHaveAttribute('title', 'Wallet')
  await expect(frames).toHaveAttribute('allow', 'payment *; publickey-credentials-get')
  const sandbox =
    'allow-same-origin allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
  await expect(frames).toHaveAttribute('sandbox', sandbox)
  await expect(frames).toHaveAttribute('referrerpolicy', 'strict-origin')
  const address = new URL((await frames.getAttribute('src')) ?? '')
  expect(address.origin + address.pathname).toBe(`${SERVICE()}/widget/wallet`)
  const { clientId, state, ...others } = Object.fromEntries(address.searchParams)
  const { challenge } = shop.proof
  expect({ clientId, others }).toEqual({ clientId: shop.app.clientId, others: { challenge } })
  expect(state).toMatch(/^\d+-\d+-\d+-\d+$/)

  const before = await embed.notes()
  const forge = (source: 'frame' | 'page', origin: string, fields: object) =>
    embed.forge({ serviceUserId: 'su_1', linkCode: 'lc_1', version: 1, ...fields }, origin, source)
  await forge('frame', 'https://evil.example', { type: 'SERVICE_AUTH_SUCCESS', state })
  await forge('page', SERVICE(), { type: 'SERVICE_AUTH_SUCCESS', state })
  await forge('page', SERVICE(), { type: 'SERVICE_LOGOUT_REQUEST' })
  await forge('frame', SERVICE(), { type: 'SERVICE_ANYTHING' })
  expect(await embed.notes()).toEqual(before)
  await expect(notice).toHaveCount(0)

  await forge('frame', SERVICE(), { type: 'SERVICE_AUTH_SUCCESS', state: 'another' })
  await expect(notice).toContainText('could not be connected')
  expect(await embed.notes()).toEqual({ ...before, errors: ['checkState'] })
  await embed.link()
  await embed.clickNotice()
  await expect(embed.balance()).toBeVisible()
})

test('mounted, destroyed, mounted again; late responses are ignored', async ({ embed }) => {
  const { page, frames } = embed
  await embed.openLinked((it) => {
    it.mount()
    it.wallet.destroy()
    const callbacks: (() => void)[] = []
    it.backend.fetchSession = () =>
      new Promise((resolve) => callbacks.push(() => resolve({ challenge: '' })))
    it.mount()
    it.wallet.reload()
    it.backend.fetchSession = it.real.fetchSession
    it.wallet.reload()
    for (const respond of callbacks) respond()
  })
  await expect(embed.balance()).toBeVisible()
  await expect(frames).toHaveCount(1)
  await expect.poll(() => embed.events()).toEqual([LOADED])

  // Two wallets on one page: the end of one is not the end of the other. A prevented default action does not happen.
  await embed.run((it) => {
    const { wallet } = it
    it.prevented = ['SERVICE_LOGOUT_REQUEST']
    it.mount()
    wallet.destroy()
    wallet.reload()
  })
  await embed.switchAccount()
  await expect.poll(() => embed.events()).toContain('SERVICE_LOGOUT_REQUEST')
  await embed.run(({ wallet }) => wallet.destroy())
  await expect(page.locator('#mount > *')).toHaveCount(0)
  const { calls, errors } = await embed.notes()
  expect(new Set(calls)).toEqual(new Set(['fetchSession']))
  expect(errors).toEqual([])
})

test('as a custom element', async ({ embed }) => {
  const { page, shop, notice, frames } = embed
  await embed.openLinked((it) => it.mountElement())
  await embed.switchAccount()
  const heard = ['coffer:wallet-loaded', 'coffer:logout-request']
  await expect.poll(() => embed.events()).toEqual(heard)
  expect(shop.serviceUserId).not.toBe(undefined)
  await embed.run(({ backend, wallet }) => {
    backend.fetchSession = () => Promise.reject(new Error('down'))
    wallet.reload()
  })
  await expect(notice).toBeVisible()
  await page.locator('coffer-wallet').evaluate((element) => element.remove())
  await expect(frames).toHaveCount(0)
  expect(await embed.events()).toEqual([...heard, 'coffer:error'])
  expect(new Set((await embed.notes()).calls)).toEqual(new Set(['fetchSession']))
})
