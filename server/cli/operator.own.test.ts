import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV, beginEnrolling } from '../test/admin-setup.ts'
import { startHarness, testEnv, type Harness } from '../test/harness.ts'

describe('coffer operator', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness(ADMIN_ENV)
  })
  after(() => harness.end())

  const run = promisify(execFile)
  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))

  async function operator(args: string[], env: Record<string, string> = ADMIN_ENV) {
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    try {
      return (await run(process.execPath, [script, 'operator', ...args], { env: all })).stdout
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  }

  it('creates the first owner, whose password is shown once and works', async () => {
    assert.match(await operator(['list']), /No operators yet/)
    const create = ['create', 'owner@example.com', 'Otto Owner', '--role', 'owner']
    const password = /\n {2}([\w-]{20})\n/.exec(await operator(create))?.[1] ?? assert.fail()
    await beginEnrolling(harness, { email: 'owner@example.com', password })
    assert.match(await operator(['list']), /owner@example\.com {2}owner .*no authenticator yet/)
    assert.match(
      await operator(create),
      /An operator with the email owner@example\.com already exists/,
    )
    const { rows } = await harness.admin.query('select actor, action, subject from admin.audit')
    const action = 'operator.create'
    assert.deepEqual(rows, [{ actor: 'command line', action, subject: 'owner@example.com' }])
  })

  it('prints the address of the admin area, if it is known', async () => {
    const create = (email: string, env: Record<string, string>) =>
      operator(['create', email, 'Vera View', '--role', 'viewer'], { ...ADMIN_ENV, ...env })
    const urls = {
      PUBLIC_URL: 'https://wallet.example',
      ACCOUNT_URL: 'https://account.wallet.example',
      ADMIN_URL: 'https://admin.wallet.example',
      DOCS_URL: 'https://docs.wallet.example',
      PASSKEY_RP_ID: 'admin.wallet.example',
      ALLOW_UNVERIFIED_EMAIL: 'true',
    }
    assert.match(
      await create('a@example.com', urls),
      / at https:\/\/admin\.wallet\.example\/admin\./,
    )
    assert.match(await create('b@example.com', {}), / at \/admin\./)
  })

  it('reports invalid and missing arguments', async () => {
    const create = ['create', 'next@example.com', 'Nora Next', '--role']
    assert.match(
      await operator([...create, 'owner'], {}),
      /ADMIN_KEYS is missing\. .* each as id:base64/,
    )
    assert.match(await operator([...create, 'root']), /Allowed choices are owner, operator, viewer/)
    assert.match(
      await operator(['create', 'nobody', 'N', '--role', 'owner']),
      /Invalid email address/,
    )
    assert.match(await operator(['create', 'a@b.example', '', '--role', 'viewer']), /name is empty/)
  })
})
