import { readFileSync } from 'node:fs'

/** In the order in which they need each other. */
const PARTS = [
  'sandbox-origin.js',
  'open-frame.js',
  'call-api.js',
  'open-challenge.js',
  'create-payment-element.js',
  'define-stripe.js',
]

/** One classic script, as pages load Stripe.js: the modules in a row, without imports and exports. */
export function bundleScript(origin: string, release: string): string {
  const parts = PARTS.map((name) =>
    readFileSync(new URL(`script/${name}`, import.meta.url), 'utf8')
      .replaceAll(/^import .*\n/gm, '')
      .replaceAll(/^export /gm, ''),
  )
  const source = parts.join('\n').replace('{{origin}}', origin).replace('{{release}}', release)
  return `(() => {\n'use strict'\n${source}\n})()\n`
}
