import type { Stripe } from '@stripe/stripe-js'
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openStripe } from './stripe.ts'

const ADDRESS = 'https://js.stripe.com/endive/stripe.js'

class ScriptElement extends EventTarget {
  src = ''
  isRemoved = false
  remove() {
    this.isRemoved = true
  }
}

const scripts: ScriptElement[] = []
const page: { Stripe?: (key: string) => Stripe } = {}

before(() => {
  const head = { append: (script: ScriptElement) => scripts.push(script) }
  const document = { createElement: () => new ScriptElement(), head }
  Object.assign(globalThis, { document, window: page })
})

async function open(event: 'load' | 'error') {
  const opening = openStripe(ADDRESS, 'pk_test_1')
  scripts.at(-1)?.dispatchEvent(new Event(event))
  return opening
}

describe('the script of the processor', () => {
  it('is loaded again after a failure, and only once after a success', async () => {
    assert.equal(await open('error'), null)
    // Something else was loaded.
    assert.equal(await open('load'), null)
    const opened: string[] = []
    page.Stripe = (key) => ({ number: opened.push(key) }) as unknown as Stripe
    const stripe = await open('load')
    assert.notEqual(stripe, null)
    assert.equal(await openStripe(ADDRESS, 'pk_test_1'), stripe)
    assert.deepEqual(opened, ['pk_test_1'])
    assert.deepEqual(
      scripts.map(({ src, isRemoved }) => [src, isRemoved]),
      [
        [ADDRESS, true],
        [ADDRESS, true],
        [ADDRESS, false],
      ],
    )
  })
})
