/** Attacks on the backend in docs/integration.md, which readers copy: the file as it is, with the service behind it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { issueLinkCode } from '../server/identity/exchange-link-code.ts'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { ROOT } from './copy-checkout.ts'
import { findFreePorts } from './find-free-ports.ts'
import { readBlocks } from './read-blocks.ts'

let harness: Harness
let app: TestApp
let origin: string
const closers: (() => unknown)[] = []

before(async () => {
  harness = await startHarness()
  closers.push(() => harness.end())
  const url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  const [port = 0] = await findFreePorts(1)
  origin = `http://localhost:${port}`
  app = await makeClientApp(harness.context, { allowedIframeParents: [origin] })
  await startBackend({
    PORT: String(port),
    COFFER_URL: url,
    COFFER_CLIENT_ID: app.clientId,
    COFFER_CLIENT_SECRET: app.clientSecret,
  })
})
after(async () => {
  for (const close of closers.toReversed()) await close()
})

async function startBackend(env: Record<string, string>) {
  const guide = readBlocks(readFileSync(`${ROOT}docs/integration.md`, 'utf8'))
  const file = guide.find(({ marks }) => marks['title'] === 'server.mjs')?.text ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'coffer-guide-backend-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'server.mjs'), file)
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const backend = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: [...stdio] })
  closers.push(() => backend.kill())
  for await (const line of createInterface({ input: backend.stdout as NodeJS.ReadableStream })) {
    if (line === origin) return
  }
  assert.fail('the backend of the guide did not start')
}

function post(path: string, body: object, headers: Record<string, string> = { origin }) {
  const type = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) }
  return fetch(origin + path, options)
}
const open = async () => (await post('/wallet/session', {})).json() as Promise<object>
const issueCode = async (challenge: string) => {
  const { serviceUserId } = await makeLinkedUser(harness.context, app)
  return issueLinkCode(harness.context.db, serviceUserId, challenge)
}

describe('the backend of the integration guide', () => {
  it('returns 403 to a page of another site, which could link its own wallet otherwise', async () => {
    const { challenge } = (await open()) as { challenge: string }
    const linkCode = await issueCode(challenge)
    // A page can send text/plain to any site without asking it first.
    const foreign = { 'content-type': 'text/plain', origin: 'https://evil.example' }
    for (const headers of [foreign, { 'content-type': 'text/plain', origin: 'null' }, {}]) {
      for (const path of ['/wallet/link', '/wallet/unlink', '/wallet/session', '/pay']) {
        assert.equal((await post(path, { linkCode }, headers)).status, 403)
      }
    }
    assert.deepEqual(Object.keys(await open()), ['challenge'])
  })

  it('does not link a wallet with a code that its session did not ask for', async () => {
    await open()
    const stranger = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    const linkCode = await issueCode(stranger)
    assert.equal((await post('/wallet/link', { linkCode })).status, 500)
    assert.deepEqual(Object.keys(await open()), ['challenge'])
  })

  it('links the wallet of its own user, also if the response is lost, and unlinks it', async () => {
    const { challenge } = (await open()) as { challenge: string }
    const linkCode = await issueCode(challenge)
    for (let times = 0; times < 2; times++) {
      assert.equal((await post('/wallet/link', { linkCode })).status, 200)
    }
    assert.deepEqual(Object.keys(await open()), ['sessionToken', 'expiresAt'])
    assert.deepEqual(Object.keys((await (await post('/wallet/unlink', {})).json()) as object), [
      'challenge',
    ])
  })
})
