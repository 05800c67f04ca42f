import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { WidgetPageData } from '../../web/page-data.ts'
import { openSetup, type Setup } from '../test/setup.ts'
import { mintSession, openShop, type Shop } from '../test/shop.ts'

/** Anybody can send a link with a session of their own wallet. The page must know where the visitor comes from. */
describe('a page with a session', () => {
  let setup: Setup
  let shop: Shop
  before(async () => {
    setup = await openSetup()
    shop = await openShop(setup)
  })
  after(() => setup.harness.end())

  async function isFromApp(path: string, session: string, headers: Record<string, string>) {
    const url = `${path}?${new URLSearchParams({ session })}`
    const { body } = await setup.harness.inject({ method: 'GET', url, headers })
    const data = /id="page-data">(.*)<\/script>/.exec(body)?.[1]
    return data === undefined ? undefined : (JSON.parse(data) as WidgetPageData).isFromApp
  }

  const window = (referer?: string) => ({
    'sec-fetch-dest': 'document',
    ...(referer !== undefined && { referer }),
  })

  for (const path of ['/widget/wallet', '/widget/topup']) {
    it(`${path} comes from the app if a registered page opened it`, async () => {
      const session = await mintSession(shop)
      for (const origin of [...shop.parents, shop.opener]) {
        assert.equal(await isFromApp(path, session, window(`${origin}/`)), true, origin)
      }
    })

    it(`${path} does not come from the app without a Referer, or with our own`, async () => {
      for (const session of [await mintSession(shop), await mintSession(shop, shop.parents[0])]) {
        assert.equal(await isFromApp(path, session, window()), false)
        assert.equal(await isFromApp(path, session, window('')), false)
        assert.equal(await isFromApp(path, session, window('https://wallet.example/x')), undefined)
        const ours = { ...window('https://wallet.example/account'), host: 'wallet.example' }
        assert.equal(await isFromApp(path, session, ours), false)
      }
    })

    it(`${path} with a session for one origin comes from the app only if that origin opened it`, async () => {
      const session = await mintSession(shop, shop.parents[0])
      assert.equal(await isFromApp(path, session, window(`${shop.parents[0]}/`)), true)
      assert.equal(await isFromApp(path, session, window(`${shop.parents[1]}/`)), false)
      assert.equal(await isFromApp(path, session, window(`${shop.opener}/`)), false)
    })
  }
})
