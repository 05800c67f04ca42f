import { ERRORS } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'

describe('GET /docs', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  const get = (url: string) => harness.inject({ method: 'GET', url })

  /** Follows every internal link, starting with the first page. */
  async function crawl(): Promise<Map<string, string>> {
    const pages = new Map<string, string>()
    const open = ['/docs']
    for (let url = open.pop(); url !== undefined; url = open.pop()) {
      if (pages.has(url)) continue
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 200, url)
      pages.set(url, body)
      if (!String(headers['content-type']).startsWith('text/html') || url === '/docs/api/') continue
      for (const [, target = ''] of body.matchAll(/(?:href|src)="(\/[^"#]*)/g)) open.push(target)
    }
    return pages
  }

  it('200 for every linked page, and every linked anchor exists', async () => {
    const pages = await crawl()
    assert(pages.size > 60)
    for (const [url, body] of pages) {
      for (const [, target = '', anchor = ''] of body.matchAll(/href="(\/docs[^"#]*)?#([^"]+)"/g)) {
        const page = pages.get(target || url) ?? ''
        // The script of the reference creates its anchors: tag, method and path.
        if (target === '/docs/api/') assert(isInReference(page, anchor), `${url} → #${anchor}`)
        else if (anchor !== 'content')
          assert(page.includes(`id="${anchor}"`), `${url} → #${anchor}`)
      }
    }
  })

  function isInReference(reference: string, anchor: string): boolean {
    const [, tag, path = ''] = /^tag\/([\w-]+)\/[A-Z]+(\/.+)$/.exec(anchor) ?? []
    return (tag === 'server-api' || tag === 'widget-api') && reference.includes(`"${path}":{`)
  }

  it('200 for a page per error code, with its status', async () => {
    for (const [code, { status }] of Object.entries(ERRORS)) {
      const { statusCode, body } = await get(`/docs/errors/${code}`)
      assert.equal(statusCode, 200, code)
      assert.match(body, new RegExp(`Status .*${status}`))
    }
    for (const code of ['ACCOUNT_NOT_LINKED', 'REPLAY_MISMATCH', 'UNEXPECTED_RESPONSE']) {
      assert.match((await get(`/docs/errors/${code}`)).body, /Raised by the SDK/)
    }
  })

  it('200 loads nothing from other origins', async () => {
    const { headers, body } = await get('/docs/integration')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.doesNotMatch(
      body,
      /<script(?! defer src=)|style="|https?:\/\/(?!localhost|wallet\.example)/,
    )
  })

  it('200 llms.txt lists the guides', async () => {
    const { body, headers } = await get('/llms.txt')
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(body, /\[Integrate in ten minutes\]\(\/docs\/integration\)/)
  })

  it('404 for a file that does not exist or is outside the folder', async () => {
    for (const path of ['errors/NOTHING', '../package.json', '%2e%2e/package.json', 'index.html']) {
      assert.equal((await get(`/docs/${path}`)).statusCode, 404, path)
    }
  })
})
