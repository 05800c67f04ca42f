#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { startSandbox, type SandboxOptions } from './start-sandbox.ts'
import { TEST_CARDS } from './test-cards.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    port: { type: 'string', default: '12111' },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
    'webhook-url': { type: 'string' },
    'webhook-secret': { type: 'string' },
    'secret-key': { type: 'string' },
    'publishable-key': { type: 'string' },
  },
})
if (values.help) {
  process.stdout.write(`Usage: coffer-sandbox [options]

A card processor for tests that moves no money. It is compatible with Stripe's API.

  --port <port>             the port of the API (default: 12111)
  --host <address>          the address to listen on (default: 127.0.0.1)
  --public-url <url>        the URL at which browsers reach it
  --webhook-url <url>       the URL to send events to
  --webhook-secret <key>    the secret to sign events with
  --secret-key <key>        the key that clients must use
  --publishable-key <key>   the key that pages must use
`)
  process.exit()
}

const options: SandboxOptions = { port: Number(values.port), host: values.host }
if (values['public-url'] !== undefined) options.publicUrl = values['public-url']
if (values['webhook-url'] !== undefined) options.webhookUrl = values['webhook-url']
if (values['webhook-secret'] !== undefined) options.webhookSecret = values['webhook-secret']
if (values['secret-key'] !== undefined) options.secretKey = values['secret-key']
if (values['publishable-key'] !== undefined) options.publishableKey = values['publishable-key']

const sandbox = await startSandbox(options)
const cards = [...TEST_CARDS].map(([number, { does }]) => `  ${number.padEnd(17)} ${does}`)
process.stdout.write(`The card processor sandbox is running. No real card is charged.

  API              ${sandbox.url}/v1
  Stripe.js        ${sandbox.publicUrl}/v3/
  Control API      ${sandbox.url}/sandbox
  Secret key       ${sandbox.secretKey}
  Publishable key  ${sandbox.publishableKey}
  Webhook secret   ${sandbox.webhookSecret}
  Webhooks go to   ${values['webhook-url'] ?? 'none (set --webhook-url)'}

Test cards, with any future date and any security code:
${cards.join('\n')}
`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void sandbox.close().then(() => process.exit(0))
  })
}
