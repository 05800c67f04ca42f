import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeClientApp } from '../../server/test/factories.ts'
import { startHarness, type Harness } from '../../server/test/harness.ts'
import { envOf, startListening } from '../test/start-listening.ts'

let harness: Harness
let url: string
before(async () => {
  harness = await startHarness()
  url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => harness.end())

describe('listen without what it needs', () => {
  const target = ['--forward-to', 'http://localhost:4000/webhooks']
  const env = { COFFER_URL: 'http://localhost:1', COFFER_CLIENT_ID: 'a', COFFER_CLIENT_SECRET: 'b' }
  const CASES: [name: string, args: string[], env: Record<string, string>, message: RegExp][] = [
    ['no target', [], env, /^--forward-to is missing.*http:\/\/localhost:4000\/webhooks\.$/],
    ['no URL', ['--forward-to', 'localhost:4000'], env, /^--forward-to must be a URL/],
    ['a file', ['--forward-to', 'file:///etc/passwd'], env, /^--forward-to must be a URL/],
    [
      'another host',
      ['--forward-to', 'https://shop.example/'],
      env,
      /^shop\.example is not this machine.*--allow-remote/,
    ],
    ['a similar host', ['--forward-to', 'http://localhost.shop.example/'], env, /not this machine/],
    ['credentials', ['--forward-to', 'http://a:b@localhost/'], env, /user name or password/],
    ['an unknown option', [...target, '--forwrd'], env, /--forwrd[\s\S]*--help/],
    ['two starts', [...target, '--since-start', '--after', 'evc_1'], env, /^Use either/],
    ['no variables', target, {}, /^COFFER_URL is missing\. .*--env/],
    ['no secret', target, { ...env, COFFER_CLIENT_SECRET: '' }, /^COFFER_CLIENT_SECRET is missing/],
    [
      'http',
      target,
      { ...env, COFFER_URL: 'http://wallet.example' },
      /^COFFER_URL must begin with https/,
    ],
    ['no file', [...target, '--env', '/no/such/.env'], env, /^--env: .*\/no\/such\/\.env/],
    [
      'a wrong secret',
      [...target, '--secret', 'coffer_sk_1'],
      env,
      /^--secret: .*must begin with whsec_/,
    ],
    [
      'a wrong variable',
      target,
      { ...env, COFFER_WEBHOOK_SECRET: 'whsec_1' },
      /^COFFER_WEBHOOK_SECRET: /,
    ],
  ]

  for (const [name, args, variables, message] of CASES) {
    it(`explains in a sentence: ${name}`, async () => {
      const { status, shown, stderr } = await startListening(args, variables).end()
      assert.deepEqual([status, shown], [1, ''])
      assert.match(stderr.trim(), message)
      assert.doesNotMatch(stderr, /^ +at /m)
    })
  }

  it('explains what the service refuses: credentials, types and an expired cursor', async () => {
    const app = await makeClientApp(harness.context)
    const other = await makeClientApp(harness.context)
    const wrong = { ...envOf(app, url), COFFER_CLIENT_SECRET: other.clientSecret }
    const refusals: [string[], Record<string, string>, RegExp][] = [
      [[], wrong, /^INVALID_CLIENT: /],
      [['--types', 'Link Ended'], envOf(app, url), /^INVALID_REQUEST: .*types/],
      [['--after', 'evc_1'], envOf(app, url), /^INVALID_REQUEST: .*after/],
      [['--after', `evc_${'0'.repeat(32)}`], envOf(app, url), /^CURSOR_EXPIRED: /],
    ]
    for (const [args, variables, message] of refusals) {
      const { status, stderr } = await startListening([...target, ...args], variables).end()
      assert.equal(status, 1)
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /^ +at /m)
    }
  })

  it('reads variables from a file, and shows its options', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-listen-'))
    const file = join(folder, '.env')
    const app = await makeClientApp(harness.context)
    const variables = {
      ...envOf(app, url),
      COFFER_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    }
    writeFileSync(
      file,
      Object.entries(variables)
        .map((pair) => pair.join('='))
        .join('\n'),
    )
    const listening = startListening([...target, '--env', file], {})
    await listening.until(
      /^Ready\. Events of app_.* are sent to http:\/\/localhost:4000\/webhooks$/m,
    )
    assert.doesNotMatch((await listening.end('SIGINT')).shown, /Signing secret/)
    rmSync(folder, { recursive: true })
    const help = await startListening(['--help'], {}).end()
    assert.equal(help.status, 0)
    assert.match(help.shown, /^Usage: npx @coffer\/sdk listen --forward-to URL/)
  })
})
