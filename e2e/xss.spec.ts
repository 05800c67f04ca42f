import { expect } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { makeLinkedUser } from '../server/test/factories.ts'
import { SERVICE, test, widgetIn } from './setup.ts'
import { PAYLOADS } from './xss-payloads.ts'

const VISIBLE = 10

test('no text is ever executed, and the policy never has to block anything', async ({
  window,
  makeShop,
  tools,
}) => {
  test.setTimeout(180_000)
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(100)
  const alarms: string[] = []
  await window.exposeFunction('pwned', () => alarms.push('a payload ran'))
  window.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) alarms.push(message.text())
  })
  window.on('dialog', (dialog) => void dialog.dismiss().then(() => alarms.push('a dialog opened')))
  for (let at = 0; at < PAYLOADS.length; at += VISIBLE) {
    const some = PAYLOADS.slice(at, at + VISIBLE)
    const [name = ''] = some
    const shop = await makeShop({ name })
    const user = await makeLinkedUser(tools, shop.app, 100_00n)
    shop.serviceUserId = user.serviceUserId
    await tools.admin.query(
      'update directory.people set first_name = $2, last_name = $3 where service_user_id = $1',
      [user.id, some[1] ?? name, some[2] ?? name],
    )
    for (const payload of some) {
      await tools.ledger.post({
        kind: 'debit',
        referenceType: payload.slice(0, 64),
        referenceId: `${randomUUID()} ${payload}`,
        walletId: user.walletId,
        amountMinor: 1n,
        counterAccount: shop.app.ledgerAccount,
        description: payload,
      })
    }
    await window.goto(shop.origin)
    const widget = widgetIn(window)
    await expect(widget.getByText(some.at(-1) ?? '', { exact: true }).first()).toBeVisible()
    // The login and sign-up of an app with that name, and the text typed into them.
    const state = encodeURIComponent(name)
    const address = `${SERVICE()}/widget/wallet?clientId=${shop.app.clientId}&state=${state}`
    await window.goto(`${shop.origin}/?frame=${encodeURIComponent(address)}`)
    await expect(widget.getByText(name, { exact: false }).first()).toBeVisible()
    await widget.getByRole('button', { name: 'Create an account' }).click()
    await widget.getByLabel('First name').fill(name)
    await widget.getByLabel('Email').fill(some[1] ?? name)
    await widget.getByRole('button', { name: 'Create account' }).click()
    await expect(widget.getByText(name, { exact: false }).first()).toBeVisible()
  }
  expect(alarms).toEqual([])
})
