/** Follows the guide literally, on every Node version that a reader may have and that is installed here. */
import { expect, test as base, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { ROOT } from '../scripts/copy-checkout.ts'
import { startReading, type Reader } from '../scripts/follow-guide.ts'
import { readBlocks } from '../scripts/read-blocks.ts'
import { findNodes } from '../sdk/test/pack.ts'
import { seesWallet, signUp } from './sign-in.ts'
import { newPerson } from './setup.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

/** The versions that the pages name. */
const PORTS = [8080, 3000, 4000, 4001, 8025]
const nodes = await findNodes()

const test = base.extend<{ node: string; reader: Reader }>({
  node: ['', { option: true }],
  reader: async ({ node }, use) => {
    const reader = await startReading(node, PORTS)
    await use(reader)
    await reader.leave()
  },
})

async function pay(page: Page, message: string) {
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('status')).toHaveText(message)
}

/** Reads the newest code in the demo's inbox, as the guide says. */
async function readCode(email: string): Promise<string> {
  const inbox = await (await fetch('http://localhost:8025')).text()
  return inbox.slice(inbox.indexOf(email)).match(/^\d{6}$/m)?.[0] ?? ''
}

async function topUp(page: Page) {
  const opening = page.waitForEvent('popup')
  await page.frameLocator('iframe:visible').getByRole('button', { name: 'Add money' }).click()
  const window = await opening
  await chooseAmount(window, '$25')
  await payByCard(window, '4242 4242 4242 4242')
  await expect(window.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  await window.close()
}

/** Text that differs from run to run. */
function mask(text: string): string {
  return text
    .replaceAll(/(Ready after )\S+|(operator@example\.com, )\S+/g, '$1$2…')
    .replaceAll(/txn_[0-9a-f]{32}/g, 'txn_…')
    .replaceAll(/ {2,}|─+/g, ' ')
}

/** README.md shows what the demo prints, and the response of its command, also repeated; with another amount it is refused. */
async function followReadme(reader: Reader) {
  const readme = readBlocks(readFileSync(`${ROOT}README.md`, 'utf8'))
  const [shown = '', response = ''] = readme
    .filter(({ language }) => language === '')
    .map(({ text }) => text)
  const printed = mask(reader.read('coffer'))
  for (const line of mask(shown).split('\n')) expect(printed).toContain(line.trim())

  const curl = /^curl .+$/m.exec(reader.read('coffer'))?.[0] ?? ''
  const [status = '', ...rest] = response.trim().split('\n')
  const body = rest.at(-1) ?? ''
  const outputs = [
    await reader.paste(curl),
    await reader.paste(curl),
    await reader.paste(curl.replace('"amount":19,', '"amount":20,')),
  ]
  const [first = '', again = '', other = ''] = outputs
  for (const output of [first, again]) {
    expect(output.startsWith(status)).toBe(true)
    expect(mask(output.trim()).endsWith(mask(body))).toBe(true)
  }
  expect(new Set(outputs.map((output) => /txn_[0-9a-f]{32}/.exec(output)?.[0])).size).toBe(1)
  expect(first).not.toContain('idempotency-')
  expect(again).toContain('idempotency-replayed: true')
  expect(other.startsWith('HTTP/1.1 409 Conflict')).toBe(true)
  expect(other).toContain('"code":"REFERENCE_MISMATCH"')
  expect(other).toContain('It differs in: amount.')
}

for (const major of [20, 24]) {
  const [version, node = ''] = [...nodes].find(([name]) => name.startsWith(`v${major}.`)) ?? []

  test.describe(`docs/integration.md and docs/testing.md on Node ${major}`, () => {
    test.skip(version === undefined, `Node ${major} is not on this machine`)
    test.use({ node })
    // A reader needs less than five minutes, on a busy machine, too.
    test.setTimeout(300_000)

    test('work without changes', async ({ page, reader }) => {
      const startedMs = performance.now()
      const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1)
      await reader.follow('docs/integration.md')
      const followed = seconds()

      const person = newPerson()
      const widget = page.frameLocator('iframe:visible')
      await page.goto('http://localhost:4000')
      await signUp(widget, person)
      await expect(widget.getByLabel('Code')).toBeVisible()
      await widget.getByLabel('Code').fill(await readCode(person.email))
      await widget.getByRole('button', { name: 'Confirm' }).click()
      await seesWallet(widget, person)
      await pay(page, 'Please top up first.')
      await topUp(page)
      await pay(page, 'Paid. 20.00 left.')
      console.log(`Node ${version}: all blocks after ${followed} s, paid after ${seconds()} s`)
      await pay(page, 'Paid. 20.00 left.')
      await expect(widget.getByText('$20.00', { exact: true }).first()).toBeVisible()
      await expect.poll(() => reader.read('webhooks')).toContain('\n25 USD arrived\n')
      expect(reader.read('listen')).toMatch(/^topup\.credited evt_\w+, sequence \d+: 204 /m)

      await followReadme(reader)
      expect(await reader.follow('docs/testing.md')).toContain('2 true')
      expect(reader.read('shop').trim()).toBe('http://localhost:4000')
    })
  })
}
