/**
 * Four flows, with a mouse and with the keyboard only: what each asks of a person stays below a limit, and screen
 * readers read the important steps in a sensible order. docs/flows.md has the figures.
 */
import { expect, type Page } from '@playwright/test'
import { makeDebit } from './admin-grants-states.ts'
import { balanceIn, enterShop, test, visibleWidgetIn } from './example-shop.ts'
import { FlowMeter, type Effort, type InputDevice } from './flow-meter.ts'
import { enterAdmin } from './operator.ts'
import { enter, makeOwner } from './owner.ts'
import { newPerson, SERVICE } from './setup.ts'

const DEVICES: InputDevice[] = ['mouse', 'keyboard']

/** What a screen reader reads, in this order; other parts may be in between. */
const VERDICT = `
  - main:
    - heading "Operations" [level=1]
    - status:
      - 'heading "Debited once: $9.00" [level=2]'
      - paragraph: /Reference .+ UTC, wallet of Ada Example\\./
      - paragraph: Corner Shop made no other debit of $9.00 within ten minutes.
    - paragraph:
      - button "Refund"
    - heading "Recorded operation" [level=2]
    - heading "Responses to the client app" [level=2]`
const DIALOG = `
  - dialog:
    - heading "Refund a debit to Ada Example" [level=2]
    - group:
      - textbox "Amount in USD"
      - paragraph: The service pays this. What Corner Shop receives for the debit does not change.
      - status: /Balance \\$11\\.00 becomes/
      - textbox "Reason"
    - status: /without a second operator/
    - button "Cancel"
    - button "Refund $9.00"`
const SIGN_UP = `
  - main:
    - heading "Create your wallet" [level=1]
    - textbox "First name"
    - textbox "Last name"
    - textbox "Email"
    - textbox "Password"
    - paragraph: "By creating your account, you allow Bean & Leaf to:"
    - list:
      - listitem: See your balance
      - listitem: Charge your wallet without asking each time
    - button "Create account"
    - paragraph:
      - button "Log in"`
const WALLET = `
  - main:
    - heading "Hello, Ada" [level=1]
    - paragraph: Balance
    - paragraph: $0.00
    - button "Add money"
    - heading "Recent activity" [level=2]
    - link "Manage account (opens a new window)"
    - button "Not you? Switch account"`
const TOPUP = `
  - main:
    - heading "Add money" [level=1]
    - paragraph: /To the wallet of Ada Example/
    - textbox "Amount (USD)"
    - group "Suggested amounts":
      - radio "$10"
      - radio "$25" [checked]
    - button "Continue to payment"`

function report(flow: string, device: InputDevice, effort: Effort) {
  console.log(`${flow}, ${device}: ${JSON.stringify(effort)}`)
}

async function payWithCard(meter: FlowMeter, page: Page) {
  const main = page.getByRole('main')
  await meter.read(main, 'Add money')
  await expect(main).toMatchAriaSnapshot(TOPUP)
  await meter.choose(page.getByRole('radio', { name: '$25' }))
  await meter.press(page.getByRole('button', { name: 'Continue' }))
  await meter.read(main, 'Pay')
  const card = page.frameLocator('iframe[title]').first()
  await meter.type(card.getByLabel('Card number'), '4242424242424242')
  await meter.type(card.getByLabel('Expiration date'), '1234')
  await meter.type(card.getByLabel('Security code'), '123')
  await meter.press(page.getByRole('button', { name: /^Pay/ }))
  await expect(page.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  await meter.read(main, 'added')
}

for (const device of DEVICES) {
  test(`operator, ${device}: “I was charged twice”, from the transaction ID to the money`, async ({
    window,
    tools,
  }) => {
    const { transactionId, walletId } = await makeDebit(tools)
    await window.setViewportSize({ width: 1280, height: 900 })
    await enterAdmin(window, tools, 'operator', '')
    await expect(window.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    const meter = await FlowMeter.start(window.context(), device)
    const search = window.getByRole('searchbox', { name: 'Search everything' })
    if (device === 'mouse') await search.click()
    else await window.keyboard.press('/')
    await meter.paste(window, transactionId)
    await window.keyboard.press('Enter')
    const verdict = window.getByRole('status').filter({ hasText: 'Debited once' })
    await meter.read(verdict, 'Debited once: $9.00')
    await expect(window.getByRole('main')).toMatchAriaSnapshot(VERDICT)
    await meter.press(window.getByRole('button', { name: 'Refund', exact: true }))
    const dialog = window.getByRole('dialog')
    await meter.read(dialog, 'Refund a debit')
    await expect(dialog).toMatchAriaSnapshot(DIALOG)
    await meter.press(dialog.getByRole('button', { name: 'Refund $9.00' }))
    const done = window.getByText('Refunded $9.00. The balance is now $20.00.')
    await meter.read(done, 'Refunded')
    await expect(done).toBeFocused()
    expect((await tools.ledger.readWallet(walletId))?.balance).toBe(20_00n)
    const effort = meter.finish()
    report('operator', device, effort)
    expect(effort.clicks).toBeLessThanOrEqual(4)
    expect(effort.estimatedSeconds).toBeLessThanOrEqual(30)
  })

  test(`person, ${device}: from the sign-up to the first payment`, async ({ window, shop }) => {
    const person = newPerson()
    await window.setViewportSize({ width: 1280, height: 900 })
    await enterShop(window, shop, 'ada')
    const widget = visibleWidgetIn(window)
    await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
    const meter = await FlowMeter.start(window.context(), device)
    const main = widget.getByRole('main')
    await meter.press(widget.getByRole('button', { name: 'Create an account' }))
    await meter.read(main, 'Create your wallet')
    await expect(main).toMatchAriaSnapshot(SIGN_UP)
    await meter.type(widget.getByLabel('First name'), person.firstName)
    await meter.type(widget.getByLabel('Last name'), person.lastName)
    await meter.type(widget.getByLabel('Email'), 'ada@example.com'.replace('ada', `a${Date.now()}`))
    await meter.type(widget.getByLabel('Password', { exact: true }), 'tea at four pm')
    await meter.press(widget.getByRole('button', { name: 'Create account' }))
    await expect(widget.getByRole('heading', { name: /^Hello/ })).toBeVisible()
    await meter.read(main, 'Hello, Ada')
    await expect(main).toMatchAriaSnapshot(WALLET)
    const opening = window.context().waitForEvent('page')
    await meter.press(widget.getByRole('button', { name: 'Add money' }))
    const topup = await opening
    await payWithCard(meter, topup)
    const closing = topup.waitForEvent('close')
    await meter.press(topup.getByRole('button', { name: 'Back to Bean & Leaf' }))
    await closing
    await balanceIn(window, '$25.00')
    await meter.press(window.getByRole('button', { name: 'Order Espresso' }))
    await meter.press(window.getByRole('button', { name: 'Pay order' }))
    await meter.read(window.getByRole('status'), 'Paid from your wallet')
    const effort = meter.finish()
    report('sign-up', device, effort)
    expect(effort.estimatedSeconds).toBeLessThanOrEqual(90)
  })

  test(`person, ${device}: adds money at /account`, async ({ window, tools }) => {
    await window.setViewportSize({ width: 1280, height: 900 })
    await enter(window, await makeOwner(tools))
    const meter = await FlowMeter.start(window.context(), device)
    await meter.press(window.getByRole('link', { name: 'Add money' }))
    await payWithCard(meter, window)
    const effort = meter.finish()
    report('top-up', device, effort)
    expect(effort.estimatedSeconds).toBeLessThanOrEqual(60)
  })

  test(`developer, ${device}: from an error code in a log to the code that handles it`, async ({
    window,
  }) => {
    await window.setViewportSize({ width: 1280, height: 900 })
    await window.goto(`${SERVICE()}/docs`)
    const meter = await FlowMeter.start(window.context(), device)
    await meter.type(window.getByRole('searchbox'), '')
    await meter.paste(window, 'INSUFFICIENT_BALANCE')
    await meter.press(window.getByRole('link', { name: /^INSUFFICIENT_BALANCE/ }).first())
    const main = window.getByRole('main')
    await meter.read(main, "isCofferError(error, 'INSUFFICIENT_BALANCE')")
    const effort = meter.finish()
    report('error', device, effort)
    expect(effort.estimatedSeconds).toBeLessThanOrEqual(60)
  })
}
