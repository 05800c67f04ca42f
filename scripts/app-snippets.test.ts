/** The code of the tab “Integration” of a client app in the admin area: it compiles, and the backend works as it is. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { issueLinkCode } from '../server/identity/exchange-link-code.ts'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { writeBackend, writePage, writePayment } from '../web/admin/client-apps/snippets.ts'
import { ROOT } from './copy-checkout.ts'

const SHOP = 'https://shop.example'

interface User {
  serviceUserId?: string
}
interface Session {
  link?: { challenge: string }
}
interface Backend {
  openWallet: (user: User, session: Session) => Promise<object>
  saveLink: (user: User, session: Session, fields: { linkCode: string }) => Promise<object>
  clearLink: (user: User, session: Session) => Promise<object>
  pay: (user: User) => Promise<{ balance: number }>
  refund: () => Promise<{ balance: number }>
}

describe('the code in the tab “Integration”', () => {
  let harness: Harness
  let folder: string
  before(async () => {
    harness = await startHarness()
    folder = mkdtempSync(join(tmpdir(), 'coffer-snippets-'))
    symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'page.mjs'), writePage('https://wallet.example', 'app_1'))
    writeFileSync(join(folder, 'backend.mjs'), writeBackend(SHOP) + writePayment())
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await harness.end()
  })

  it('compiles with @coffer/embed and @coffer/sdk', () => {
    const compilerOptions = {
      allowJs: true,
      checkJs: true,
      noEmit: true,
      strict: false,
      target: 'esnext',
      module: 'nodenext',
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [`${ROOT}node_modules/@types`],
    }
    const config = { compilerOptions, files: ['page.mjs', 'backend.mjs'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = spawnSync(`${ROOT}node_modules/.bin/tsc`, ['-p', folder], {
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
  })

  it('links a wallet, opens it, charges it once, refunds and unlinks it', async () => {
    const { context } = harness
    const app = await makeClientApp(context, { allowedIframeParents: [SHOP] })
    Object.assign(process.env, {
      COFFER_URL: await harness.app.listen({ port: 0, host: '127.0.0.1' }),
      COFFER_CLIENT_ID: app.clientId,
      COFFER_CLIENT_SECRET: app.clientSecret,
    })
    const file = pathToFileURL(join(folder, 'backend.mjs')).href
    const backend = (await import(file)) as Backend
    const [user, session]: [User, Session] = [{}, {}]
    assert.deepEqual(Object.keys(await backend.openWallet(user, session)), ['challenge'])
    const owner = await makeLinkedUser(context, app, 100_00n)
    const challenge = session.link?.challenge ?? assert.fail()
    const linkCode = await issueLinkCode(context.db, owner.serviceUserId, challenge)
    await backend.saveLink(user, session, { linkCode })
    assert.equal(user.serviceUserId, owner.serviceUserId)
    const opened = await backend.openWallet(user, session)
    assert.deepEqual(Object.keys(opened), ['sessionToken', 'expiresAt'])
    for (let times = 0; times < 2; times++) assert.equal((await backend.pay(user)).balance, 81)
    assert.equal((await backend.refund()).balance, 86)
    assert.deepEqual(Object.keys(await backend.clearLink(user, session)), ['challenge'])
    assert.deepEqual(Object.keys(user), [])
  })
})
