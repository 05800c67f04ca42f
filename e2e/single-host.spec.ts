/** All pages on one host: what a script on the top-up page, or in the documentation, cannot reach. */
import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { enter, makeOwner } from './owner.ts'
import { SERVICE, test } from './setup.ts'

/** What the page gets from this URL. */
function tryFetch(page: Page, url: string): Promise<string> {
  return page.evaluate(async (address) => {
    try {
      return `status ${(await fetch(address)).status}`
    } catch {
      return 'refused'
    }
  }, url)
}

/** Opens the URL in a window, and tries to read it and to send a request from there. */
function tryWindow(page: Page, url: string, target: string): Promise<string[]> {
  return page.evaluate(
    async ([address, wanted]) => {
      const opened = window.open(address)
      const isLoaded = () => {
        try {
          return (
            opened?.location.href !== 'about:blank' && opened?.document.readyState === 'complete'
          )
        } catch {
          return true
        }
      }
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (opened && !opened.closed && !isLoaded()) return
          clearInterval(timer)
          resolve()
        }, 50)
      })
      const found: string[] = []
      try {
        found.push(`text ${opened?.document.body.innerText.length ? 'read' : 'empty'}`)
      } catch {
        found.push('no access')
      }
      try {
        const view = opened as unknown as { fetch: typeof fetch }
        found.push(`status ${(await view.fetch(wanted)).status}`)
      } catch {
        found.push('refused')
      }
      opened?.close()
      return found
    },
    [url, target] as const,
  )
}

test('the top-up page, where the script of the card processor runs, reaches only the widget API', async ({
  window,
  tools,
  makeShop,
}) => {
  const shop = await makeShop()
  shop.serviceUserId = (await makeLinkedUser(tools, shop.app, 10_00n)).serviceUserId
  await enter(window, await makeOwner(tools))
  expect(await tryFetch(window, '/api/account')).toBe('status 200')

  await window.goto(`${SERVICE()}/widget/topup?clientId=${shop.app.clientId}`)
  expect(await tryFetch(window, '/api/widget/wallet?session=none')).toBe('status 401')
  for (const url of [
    '/api/account',
    '/api/account/history.csv',
    '/api/account/data.json',
    '/api/admin/sign-in/operator',
    '/account',
    '/api/widget/../account',
    '/api/widget/%2e%2e/account',
  ]) {
    expect(await tryFetch(window, url)).toBe('refused')
  }
  const style = await window.locator('link[rel="stylesheet"]').first().getAttribute('href')
  for (const url of [
    '/api/account',
    '/account',
    '/admin',
    '/docs',
    '/docs/site.js',
    '/docs/openapi.json',
    '/livez',
    '/nothing',
    style ?? '',
  ]) {
    expect([url, ...(await tryWindow(window, url, '/api/account'))]).toEqual([
      url,
      'no access',
      'refused',
    ])
  }
  // Another page of the widget can be read, but it reaches no more than this one.
  const wallet = `/widget/wallet?clientId=${shop.app.clientId}`
  expect((await tryWindow(window, wallet, '/api/account'))[1]).toBe('refused')
  expect((await tryWindow(window, wallet, '/api/widget/wallet?session=none'))[1]).toBe('status 401')
})

test('the top-up page at /account reaches only its own part of the account API', async ({
  window,
  tools,
}) => {
  await enter(window, await makeOwner(tools))
  await window.goto(`${SERVICE()}/account/topup`)
  expect(await tryFetch(window, '/api/account/topup/wallet')).toBe('status 200')
  for (const url of [
    '/api/account',
    '/api/account/history.csv',
    '/api/account/data.json',
    '/api/account/topup/../history',
    '/api/account/topup/%2e%2e/history',
    '/api/admin/sign-in/operator',
    '/api/widget/wallet?session=none',
    '/account',
  ]) {
    expect([url, await tryFetch(window, url)]).toEqual([url, 'refused'])
  }
  for (const url of ['/account', '/account/client-secret', '/admin', '/api/account', '/livez']) {
    const tried = await tryWindow(window, url, '/api/account')
    expect([url, ...tried]).toEqual([url, 'no access', 'refused'])
  }
})

test('a page of the documentation has no origin: no cookie, no storage, no request', async ({
  window,
  tools,
}) => {
  await enter(window, await makeOwner(tools))
  for (const path of ['/docs/integration', '/docs/api/']) {
    await window.goto(`${SERVICE()}${path}`)
    expect(await window.evaluate(() => self.origin)).toBe('null')
    expect(await tryFetch(window, '/api/account')).toBe('refused')
    expect((await tryWindow(window, '/api/account', '/api/account'))[0]).toBe('no access')
    const isStored = await window.evaluate(() => {
      try {
        return document.cookie.length >= 0
      } catch {
        return false
      }
    })
    expect(isStored).toBe(false)
  }
})

test('no page creates a Trusted Types policy that is not in its list, or takes text as HTML', async ({
  window,
  makeShop,
}) => {
  const { app } = await makeShop()
  for (const path of [
    '/account',
    '/account/client-secret',
    '/admin',
    `/widget/wallet?clientId=${app.clientId}`,
    '/docs/integration',
  ]) {
    await window.goto(`${SERVICE()}${path}`)
    const results = await window.evaluate(() => {
      const isRefused = (act: () => void) => {
        try {
          act()
          return false
        } catch {
          return true
        }
      }
      const policy = { createHTML: (text: string) => text }
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy: (name: string, rules: object) => void }
      }
      return [
        isRefused(() => void (document.createElement('div').innerHTML = '<b>x</b>')),
        isRefused(() => trustedTypes.createPolicy('default', policy)),
        isRefused(() => trustedTypes.createPolicy('coffer-docs', policy)),
      ]
    })
    expect([path, ...results]).toEqual([path, true, true, true])
  }
})
