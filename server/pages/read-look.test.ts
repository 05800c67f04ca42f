import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { WidgetPageData } from '../../web/page-data.ts'
import { openSetup, type Setup } from '../test/setup.ts'

describe('the language and theme of the widget', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  async function open(asked: Record<string, string>) {
    const query = new URLSearchParams({ clientId: setup.app.clientId, ...asked })
    const response = await setup.harness.inject({ url: `/widget/wallet?${query}` })
    assert.equal(response.statusCode, 200)
    return lookOf(response)
  }

  function lookOf({ body }: LightMyRequestResponse) {
    const json = /<script type="application\/json" id="page-data">(.*)<\/script>/.exec(body)?.[1]
    const { locale, query } = JSON.parse(json ?? '') as WidgetPageData
    const theme = /<html lang="en" data-theme="(\w+)">/.exec(body)?.[1]
    const scheme = /<meta name="color-scheme" content="([\w ]+)">/.exec(body)?.[1]
    return { locale, theme, scheme, query }
  }

  const plain = () => {
    const query = `clientId=${setup.app.clientId}`
    return { locale: null, theme: 'auto', scheme: 'light dark', query }
  }

  it('are those of the URL, which keeps them', async () => {
    const { query } = plain()
    const german = { locale: 'de', theme: 'dark', scheme: 'dark' }
    const expected = { ...german, query: `${query}&locale=de&theme=dark` }
    assert.deepEqual(await open({ locale: 'de', theme: 'dark' }), expected)
    assert.deepEqual(await open({ theme: 'dark', locale: 'de', session: 'ws_1' }), expected)
    assert.deepEqual(await open({ theme: 'light', locale: 'fr' }), {
      ...plain(),
      theme: 'light',
      scheme: 'light',
      query: `${query}&theme=light`,
    })
  })

  it('are those of the browser without a value that the service knows', async () => {
    assert.deepEqual(await open({}), plain())
    for (const nonsense of ['', 'auto', 'DARK', '"><script>', '__proto__', 'toString']) {
      assert.deepEqual(await open({ locale: nonsense, theme: nonsense }), plain())
    }
  })
})
