/** A link with a session of somebody else's wallet: the visitor learns whose wallet it is, and nothing more. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { messagesOf, SERVICE, test, type StorageMode, type Tools } from './setup.ts'
import { openSession, ownerOf } from './topup-link.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

const PAGES = ['/widget/wallet', '/widget/topup'] as const

interface Opening {
  target?: '_blank' | '_self'
  /** Of the link; scripts open a window without it. */
  rel?: string
  isScript?: boolean
}

/** Follows a link on the current page, or lets its script open a window. Returns the page that shows the address. */
async function follow(page: Page, href: string, opening: Opening): Promise<Page> {
  const { target = '_blank' } = opening
  const opened = target === '_blank' ? page.context().waitForEvent('page') : undefined
  await page.evaluate(
    ([url, { rel = '', isScript = false }, where]) => {
      if (isScript) return void window.open(url, where, rel)
      const link = Object.assign(document.createElement('a'), { href: url, target: where, rel })
      document.body.append(link)
      link.click()
    },
    [href, opening, target] as const,
  )
  const shown = (await opened) ?? page
  await shown.waitForURL(`${SERVICE()}/**`)
  return shown
}

async function makeAttacker(tools: Tools, app: TestApp) {
  const attacker = await makeLinkedUser(tools, app, 77_01n)
  return {
    attacker,
    session: await openSession(app, attacker),
    owner: await ownerOf(tools, attacker),
  }
}

/** Only the owner and the question: no balance, no entries, no way to pay, and no token in the address. */
async function expectQuestion(page: Page, owner: string) {
  await expect(page.getByRole('heading', { name: 'Is this your wallet?' })).toBeVisible()
  await expect(page.getByText(owner)).toBeVisible()
  await expect(page.getByText(/77\.01|Balance|Recent activity|Hello/)).toHaveCount(0)
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(1)
  expect(page.url()).not.toContain('ws_')
}

for (const storageMode of ['blocked', 'allowed'] as const satisfies readonly StorageMode[]) {
  test.describe(`a session in a link, third-party storage ${storageMode}`, () => {
    test.use({ storageMode })

    for (const path of PAGES) {
      test(`${path} from an address bar or an email asks whose wallet it is`, async ({
        window,
        makeShop,
        tools,
      }) => {
        const { session, owner } = await makeAttacker(tools, (await makeShop()).app)
        await window.goto(`${SERVICE()}${path}?session=${session}`)
        await expectQuestion(window, owner)
        await window.reload()
        await expectQuestion(window, owner)
        await window.getByRole('button', { name: 'Yes, it is mine' }).click()
        await expect(window.getByText(/77\.01/).first()).toBeVisible()
        await window.reload()
        await expect(window.getByText(/77\.01/).first()).toBeVisible()
      })

      test(`${path} from another site asks whose wallet it is, and sends no message`, async ({
        window,
        makeShop,
        tools,
      }) => {
        const { session, owner } = await makeAttacker(tools, (await makeShop()).app)
        const foreign = await makeShop({ allowedIframeParents: [] })
        const openings: Opening[] = [
          { rel: 'noreferrer' },
          { rel: 'noreferrer', target: '_self' },
          { rel: 'noreferrer', isScript: true },
        ]
        for (const opening of openings) {
          await window.goto(foreign.origin)
          await expectQuestion(
            await follow(window, `${SERVICE()}${path}?session=${session}`, opening),
            owner,
          )
        }
        await window.goto(foreign.origin)
        await window.evaluate(() => {
          document.head.innerHTML += '<meta name="referrer" content="no-referrer">'
        })
        const shown = await follow(window, `${SERVICE()}${path}?session=${session}`, {
          isScript: true,
        })
        await expectQuestion(shown, owner)
        expect(await messagesOf(window)).toEqual([])
      })

      test(`${path} from a link that a user of the app posted asks whose wallet it is`, async ({
        window,
        makeShop,
        tools,
      }) => {
        const shop = await makeShop()
        const { session, owner } = await makeAttacker(tools, shop.app)
        for (const target of ['_blank', '_self'] as const) {
          await window.goto(shop.origin)
          const address = `${SERVICE()}${path}?session=${session}`
          await expectQuestion(await follow(window, address, { target }), owner)
        }
      })

      test(`${path} in a window that the app opened asks nothing`, async ({
        window,
        makeShop,
        tools,
      }) => {
        const shop = await makeShop()
        const { session } = await makeAttacker(tools, shop.app)
        await window.goto(shop.origin)
        const address = `${SERVICE()}${path}?session=${session}`
        const shown = await follow(window, address, { isScript: true })
        await expect(shown.getByText(/77\.01/).first()).toBeVisible()
        expect(shown.url()).not.toContain('ws_')
      })
    }
  })
}

test('a session for one origin asks in a window that another origin of the app opened', async ({
  window,
  makeShop,
  tools,
}) => {
  const shop = await makeShop({}, { bindsSessions: true })
  const twin = await makeShop({ allowedIframeParents: [] })
  await tools.admin.query('update directory.client_apps set allowed_origins = $2 where id = $1', [
    shop.app.id,
    [twin.origin],
  ])
  const attacker = await makeLinkedUser(tools, shop.app, 77_01n)
  shop.serviceUserId = attacker.serviceUserId
  const { session } = await (await fetch(`${shop.origin}/session`, { method: 'POST' })).json()
  const address = `${SERVICE()}/widget/topup?session=${session}`
  await window.goto(twin.origin)
  const asked = await follow(window, address, { isScript: true })
  await expectQuestion(asked, await ownerOf(tools, attacker))
  await window.goto(shop.origin)
  const shown = await follow(window, address, { isScript: true })
  await expect(shown.getByText(/77\.01/).first()).toBeVisible()
})

test('an app that sends no Referer can still let its user pay', async ({
  window,
  makeShop,
  tools,
}) => {
  const shop = await makeShop()
  const { attacker: person, session, owner } = await makeAttacker(tools, shop.app)
  await window.goto(shop.origin)
  const address = `${SERVICE()}/widget/topup?session=${session}`
  const topup = await follow(window, address, { isScript: true, rel: 'noreferrer' })
  await expectQuestion(topup, owner)
  await topup.getByRole('button', { name: 'Yes, it is mine' }).click()
  await chooseAmount(topup, '$25')
  await expect(topup.getByText(owner)).toBeVisible()
  await payByCard(topup, '4242424242424242')
  await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  expect((await tools.ledger.readWallet(person.walletId))?.balance).toBe(102_01n)
})

test("a link with a paid payment and its owner's session shows no balance", async ({
  window,
  makeShop,
  tools,
}) => {
  const { attacker, session } = await makeAttacker(tools, (await makeShop()).app)
  await window.goto(`${SERVICE()}/widget/topup?session=${session}`)
  await window.getByRole('button', { name: 'Yes, it is mine' }).click()
  const created = window.waitForResponse(/create-intent/)
  await chooseAmount(window, '$25')
  const { clientSecret } = (await (await created).json()) as { clientSecret: string }
  await payByCard(window, '4242424242424242')
  await expect(window.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  expect((await tools.ledger.readWallet(attacker.walletId))?.balance).toBe(102_01n)

  const visitor = await window.context().newPage()
  const query = new URLSearchParams({ session, payment_intent_client_secret: clientSecret })
  await visitor.goto(`${SERVICE()}/widget/topup?${query}`)
  await expect(visitor.getByRole('heading', { name: /\$25\.00 paid/ })).toBeVisible()
  await expect(visitor.getByText(/102\.01/)).toHaveCount(0)
})

test('the API of the widget is not a page', async ({ window, makeShop, tools }) => {
  const { session } = await makeAttacker(tools, (await makeShop()).app)
  const response = await window.goto(`${SERVICE()}/api/widget/wallet?session=${session}`)
  expect(response?.status()).toBe(403)
  await expect(window.getByText(/77\.01/)).toHaveCount(0)
})
