import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Script } from 'node:vm'
import {
  checkCvc,
  checkExpiry,
  checkNumber,
  formatExpiry,
  formatNumber,
} from './browser/frame/format-card.js'
import { startSandbox } from './start-sandbox.ts'

const sandbox = await startSandbox({ publicUrl: 'https://processor.example' })
after(() => sandbox.close())

describe('the script for pages', () => {
  for (const [path, release] of [
    ['/v3/', 'v3'],
    ['/v3', 'v3'],
    ['/stripe.js', 'endive'],
    ['/basil/stripe.js', 'basil'],
  ] as const) {
    it(`is served at ${path} as one classic script`, async () => {
      const response = await fetch(`${sandbox.url}${path}`)
      const source = await response.text()
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', /javascript/)
      assert.doesNotMatch(source, /\{\{\w+\}\}|^\s*(import|export) /m)
      assert.match(source, /ORIGIN = 'https:\/\/processor\.example'/)
      assert.ok(source.includes(`RELEASE = '${release}'`))
      assert.ok(new Script(source))
    })
  }

  it('the frames load only resources of their own origin', async () => {
    for (const path of ['/sandbox/elements/payment', '/sandbox/3ds/payatt_unknown']) {
      const response = await fetch(`${sandbox.url}${path}`)
      const policy = response.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'.*form-action 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline/)
      assert.doesNotMatch(await response.text(), /\{\{/)
    }
  })
})

describe('the card form', () => {
  const now = new Date('2026-11-15')

  it('formats numbers and dates during input', () => {
    assert.equal(formatNumber('4242424242424242999'), '4242 4242 4242 4242')
    assert.equal(formatNumber('378282246310005'), '3782 822463 10005')
    assert.equal(formatExpiry('5'), '05')
    assert.equal(formatExpiry('123'), '12 / 3')
    assert.equal(formatExpiry('12/'), '12 / ')
  })

  it('reports invalid fields with the codes of Stripe.js', () => {
    assert.equal(checkNumber('4242 4242'), 'incomplete_number')
    assert.equal(checkNumber('4242 4242 4242 4241'), 'invalid_number')
    assert.equal(checkNumber('4242 4242 4242 4242'), null)
    assert.equal(checkExpiry('13 / 30', now), 'invalid_expiry_month')
    assert.equal(checkExpiry('10 / 26', now), 'invalid_expiry_year_past')
    assert.equal(checkExpiry('11 / 26', now), null)
    assert.equal(checkExpiry('11 / 90', now), 'invalid_expiry_year')
    assert.equal(checkCvc('123', '3782'), 'incomplete_cvc')
    assert.equal(checkCvc('123', '4242'), null)
  })
})
