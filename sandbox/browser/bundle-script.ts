import { readFileSync } from 'node:fs'

/** Each part comes after the parts that it uses. */
const PARTS = [
  'sandbox-origin.js',
  'open-frame.js',
  'call-api.js',
  'open-challenge.js',
  'create-payment-element.js',
  'define-stripe.js',
]

/** Joins the modules into one classic script, without imports and exports, because pages load Stripe.js that way. */
export function bundleScript(origin: string, release: string): string {
  const parts = PARTS.map((name) =>
    readFileSync(new URL(`script/${name}`, import.meta.url), 'utf8')
      .replaceAll(/^import .*\n/gm, '')
      .replaceAll(/^export /gm, ''),
  )
  const source = parts.join('\n').replace('{{origin}}', origin).replace('{{release}}', release)
  return `(() => {\n'use strict'\n${source}\n})()\n`
}
