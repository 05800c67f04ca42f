import { expect, type Page } from '@playwright/test'
import { makeLinkedUser } from '../server/test/factories.ts'
import { messagesOf, SERVICE, test, widgetIn } from './setup.ts'

const WALLET = () => `${SERVICE()}/widget/wallet`

/** When everything has loaded, no frame shows any part of the widget. */
async function expectNothingShown(page: Page) {
  await page.waitForLoadState('networkidle')
  for (const frame of page.frames()) {
    expect(await frame.locator('input, [type=password]').count()).toBe(0)
    expect(await frame.getByText(/Log in to your wallet|Balance|Hello,/).count()).toBe(0)
  }
}

function framing(shop: { origin: string }, address: string): string {
  return `${shop.origin}/?frame=${encodeURIComponent(address)}`
}

test.describe('who may frame the widget', () => {
  test('the registered parent', async ({ window, makeShop }) => {
    const shop = await makeShop()
    await window.goto(framing(shop, `${WALLET()}?clientId=${shop.app.clientId}`))
    await expect(widgetIn(window).getByRole('heading', { name: /Log in/ })).toBeVisible()
  })

  test('the registered parent, found by its Referer alone', async ({ window, makeShop }) => {
    const shop = await makeShop()
    await window.goto(framing(shop, WALLET()))
    await expect(widgetIn(window).getByRole('heading', { name: /Log in/ })).toBeVisible()
  })

  test('the registered parent with referrerpolicy="no-referrer" and clientId', async ({
    window,
    makeShop,
  }) => {
    const shop = await makeShop({}, { attributes: 'referrerpolicy="no-referrer"' })
    await window.goto(framing(shop, `${WALLET()}?clientId=${shop.app.clientId}`))
    await expect(widgetIn(window).getByRole('heading', { name: /Log in/ })).toBeVisible()
  })

  test('no unregistered page: neither login nor wallet, and no message', async ({
    window,
    makeShop,
    tools,
  }) => {
    const shop = await makeShop()
    const user = await makeLinkedUser(tools, shop.app, 5_00n)
    shop.serviceUserId = user.serviceUserId
    const session = await (await fetch(`${shop.origin}/session`, { method: 'POST' })).json()
    for (const attributes of ['', 'referrerpolicy="no-referrer"']) {
      const foreign = await makeShop({ allowedIframeParents: [] }, { attributes })
      for (const address of [
        WALLET(),
        `${WALLET()}?clientId=${shop.app.clientId}`,
        `${WALLET()}?session=${session.session}`,
        `${WALLET()}?clientId=${shop.app.clientId}&session=${session.session}`,
      ]) {
        await window.goto(framing(foreign, address))
        await expectNothingShown(window)
        expect(await messagesOf(window)).toEqual([])
      }
    }
  })

  test('no unregistered grandparent', async ({ window, makeShop }) => {
    const shop = await makeShop()
    const foreign = await makeShop({ allowedIframeParents: [] })
    const inner = framing(shop, `${WALLET()}?clientId=${shop.app.clientId}`)
    await window.goto(framing(foreign, inner))
    await expectNothingShown(window)
  })

  test('no other port and no other scheme', async ({ window, makeShop }) => {
    for (const attributes of ['', 'referrerpolicy="no-referrer"']) {
      const shop = await makeShop({}, { attributes })
      const { hostname, port } = new URL(shop.origin)
      for (const registered of [`http://${hostname}:1`, `https://${hostname}:${port}`]) {
        const other = await makeShop({ allowedIframeParents: [registered], sharesParents: true })
        await window.goto(framing(shop, `${WALLET()}?clientId=${other.app.clientId}`))
        await expectNothingShown(window)
      }
    }
  })

  test('no page if the list is empty', async ({ window, makeShop }) => {
    const shop = await makeShop({ allowedIframeParents: [] })
    await window.goto(framing(shop, `${WALLET()}?clientId=${shop.app.clientId}`))
    await expectNothingShown(window)
  })

  test('a session that is bound to one origin opens in no other', async ({
    window,
    makeShop,
    tools,
  }) => {
    const shop = await makeShop({}, { bindsSessions: true })
    const twin = await makeShop({ allowedIframeParents: [] })
    await tools.admin.query(
      'update directory.client_apps set allowed_iframe_parents = $2 where id = $1',
      [shop.app.id, [shop.origin, twin.origin]],
    )
    const user = await makeLinkedUser(tools, shop.app, 5_00n)
    shop.serviceUserId = user.serviceUserId
    const { session } = await (await fetch(`${shop.origin}/session`, { method: 'POST' })).json()
    await window.goto(framing(twin, `${WALLET()}?session=${session}`))
    await expectNothingShown(window)
    expect(await messagesOf(window)).toEqual([])
    await window.goto(framing(shop, `${WALLET()}?session=${session}`))
    await expect(widgetIn(window).getByText('$5.00', { exact: true }).first()).toBeVisible()
  })
})

test('the help page shows a developer what the service received, without form, script or leak', async ({
  window,
  makeShop,
}) => {
  const foreign = await makeShop({ allowedIframeParents: [] })
  await window.goto(framing(foreign, WALLET()))
  const help = widgetIn(window)
  await expect(
    help.getByRole('heading', { name: 'This wallet cannot be shown here' }),
  ).toBeVisible()
  await expect(help.getByText(foreign.origin)).toBeVisible()
  await expect(help.getByText('allowedIframeParents').first()).toBeVisible()
  expect(await help.locator('form, input, script, a').count()).toBe(0)
})
