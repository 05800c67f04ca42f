import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from './test/factories.ts'
import { spawnService, startHarness, testEnv, type Harness } from './test/harness.ts'
import { movesNothing } from './test/setup.ts'

const SERVE_MS = 15_000

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

/** Runs a command; the status is also 0 if it is still running after SERVE_MS. */
function coffer(env: Record<string, string>, ...args: string[]) {
  const script = fileURLToPath(new URL('coffer.ts', import.meta.url))
  const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0', ...env }
  const options = { env: all, timeout: SERVE_MS, killSignal: 'SIGKILL' } as const
  return new Promise<{ status: number; text: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

const REFUSAL = /The amounts in this database are in USD, but CURRENCY is JPY\.\nSet CURRENCY=USD/

describe('a database whose amounts are in USD', () => {
  for (const PROCESSES of ['1', '2']) {
    it(`is not served with CURRENCY=JPY, PROCESSES=${PROCESSES}`, async () => {
      const { status, text } = await coffer({ CURRENCY: 'JPY', PROCESSES }, 'serve')
      assert.match(text, REFUSAL)
      assert.equal(status, 1)
    })
  }

  it('is served with CURRENCY=USD, and without CURRENCY', async () => {
    for (const env of [{ CURRENCY: 'USD' }, {}]) {
      const service = await spawnService(harness.databaseUrl, env)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      assert.equal(await service.kill('SIGINT'), 0)
    }
  })

  it('is not verified with CURRENCY=JPY, but is without CURRENCY, which verify does not need', async () => {
    const refused = await coffer({ CURRENCY: 'JPY' }, 'verify')
    assert.match(refused.text, REFUSAL)
    assert.equal(refused.status, 1)
    for (const env of [{ CURRENCY: 'USD' }, {}]) {
      assert.match((await coffer(env, 'verify')).text, /The books are sound/)
    }
  })

  it('gets no checkpoint with CURRENCY=JPY', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-currency-'))
    const [key, file] = [join(folder, 'key.pem'), join(folder, 'heads')]
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { status, text } = await coffer({ CURRENCY: 'JPY' }, 'checkpoint', file, '--key', key)
    assert.match(text, REFUSAL)
    assert.equal(status, 1)
    assert(!existsSync(file))
    rmSync(folder, { recursive: true })
  })

  it('is an error for coffer doctor with CURRENCY=JPY', async () => {
    const wrong = await coffer({ CURRENCY: 'JPY' }, 'doctor')
    assert.match(
      wrong.text,
      /✗ The amounts in this database are in USD, but CURRENCY is JPY\.\n {2}→/,
    )
    assert.equal(wrong.status, 1)
    const right = await coffer({ CURRENCY: 'USD' }, 'doctor')
    assert.match(right.text, /✓ The amounts in this database are in USD, as configured\./)
  })

  it('accepts no command with amounts with CURRENCY=JPY, but accepts the others', async () => {
    const app = await makeClientApp(harness.context)
    const jpy = { CURRENCY: 'JPY' }
    const commands = [
      ['client-app', 'create', 'Shop', '--credit-limit', '1000'],
      ['demo-user', app.clientId],
      ['reconcile', '--from', '2026-01-01'],
      ['refund', '00000000-0000-0000-0000-000000000000', '38'],
    ]
    await movesNothing(harness.admin, async () => {
      for (const command of commands) {
        const { status, text } = await coffer(jpy, ...command)
        assert.match(text, REFUSAL, command.join(' '))
        assert.equal(status, 1)
      }
    })
    assert.match((await coffer(jpy, 'client-app', 'list')).text, new RegExp(app.clientId))
  })
})

describe('a database without a recorded currency', () => {
  const forget = () => harness.admin.query('delete from ledger.currency')
  const record = (code: string) =>
    harness.admin.query('insert into ledger.currency (code) values ($1)', [code])
  const read = async () => (await harness.admin.query('select code from ledger.currency')).rows
  before(forget)
  after(async () => {
    await forget()
    await record('USD')
  })

  it('gets no currency from a command that only reads', async () => {
    const { text } = await coffer({ CURRENCY: 'EUR' }, 'doctor')
    assert.match(text, /! The database has no currency yet\.\n.*records CURRENCY=EUR/)
    assert.match((await coffer({ CURRENCY: 'EUR' }, 'verify')).text, /The books are sound/)
    assert.deepEqual(await read(), [])
  })

  it('gets the currency of the first start, even if it has operations', async () => {
    await makeLinkedUser(harness.context, await makeClientApp(harness.context), 38_00n)
    const service = await spawnService(harness.databaseUrl, { CURRENCY: 'EUR' })
    assert.equal(await service.kill('SIGINT'), 0)
    assert.deepEqual(await read(), [{ code: 'EUR' }])
    assert.equal((await coffer({ CURRENCY: 'USD' }, 'serve')).status, 1)
  })
})
