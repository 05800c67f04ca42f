import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { closeConnections, post } from './test/client.ts'
import { makeClientApp, makeLinkedUser } from './test/factories.ts'
import { spawnService, startHarness, testEnv, type Harness } from './test/harness.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(async () => {
  closeConnections()
  await harness.end()
})

const run = promisify(execFile)
const script = fileURLToPath(new URL('coffer.ts', import.meta.url))

async function coffer(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...settings }
  try {
    const { stdout, stderr } = await run(process.execPath, [script, ...args], { env })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

describe('coffer serve', () => {
  it('stops gracefully: every accepted debit gets a response, and no other debit is executed', async () => {
    const service = await spawnService(harness.databaseUrl)
    const app = await makeClientApp(harness.context)
    const user = await makeLinkedUser(harness.context, app, 1_000_000n)
    const { clientId, clientSecret } = app
    let succeeded = 0
    const refusals = new Set<string>()
    const over = new AbortController()
    async function send(lane: number) {
      for (let index = 0; !over.signal.aborted; index++) {
        const reference = { referenceType: 'SHUTDOWN', referenceId: `${lane}-${index}` }
        const body = { clientId, clientSecret, serviceUserId: user.serviceUserId, amount: 0.01 }
        try {
          const response = await post(service.url, '/api/server/wallet/debit', {
            ...body,
            ...reference,
          })
          if (response.status === 200) succeeded++
          else refusals.add(response.text)
        } catch {
          return
        }
      }
    }
    const senders = Array.from({ length: 32 }, (_, lane) => send(lane))
    await sleep(700)
    const code = await service.kill('SIGTERM')
    over.abort()
    await Promise.all(senders)
    const { rows } = await harness.admin.query(
      `select count(*)::int as count from ledger.operations where reference_type = 'SHUTDOWN'`,
    )
    assert.equal(code, 0)
    for (const text of refusals) assert.match(text, /"code":"SERVICE_UNAVAILABLE"/)
    assert.ok(succeeded > 50)
    assert.equal(rows[0].count, succeeded)
    assert.match(service.output.at(-1) ?? '', /"msg":"stopped"/)
  })

  it('exits with 1 and reports the error if its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, output } = await coffer({ PORT: String(port) }, 'serve')
    taken.close()
    assert.equal(code, 1)
    assert.match(output, /EADDRINUSE/)
  })

  it('does not wait for a connection without a request when it stops', async () => {
    const service = await spawnService(harness.databaseUrl)
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(silent, 'connect')
    const startMs = performance.now()
    assert.equal(await service.kill('SIGINT'), 0)
    assert(performance.now() - startMs < 10_000)
    silent.destroy()
  })

  it('serves while it drains, says at /readyz that it stops, and stops at once after a second signal', async () => {
    for (const PROCESSES of ['1', '2']) {
      const service = await spawnService(harness.databaseUrl, { PROCESSES })
      process.kill(service.pid, 'SIGTERM')
      let ready: Response
      do ready = await fetch(`${service.url}/readyz`)
      while (ready.status === 200)
      assert.deepEqual([ready.status, await ready.json()], [503, { status: 'stopping' }])
      const page = await fetch(`${service.url}/docs`)
      assert.deepEqual([page.status, page.headers.get('connection')], [200, 'close'])
      const startMs = performance.now()
      assert.equal(await service.kill('SIGTERM'), 0)
      assert(performance.now() - startMs < 4_000)
      const log = service.output.join('\n')
      assert.match(log, /"msg":"draining[^]*"msg":"stopping[^]*"msg":"stopped"/)
    }
  })

  it('runs several processes behind one port and counts them all in /metrics', async () => {
    const service = await spawnService(harness.databaseUrl, { PROCESSES: '2' })
    for (let index = 0; index < 20; index++) {
      assert.equal(
        (await fetch(`${service.url}/livez`, { headers: { Connection: 'close' } })).status,
        200,
      )
    }
    const counts = /coffer_request_seconds_count\{method="GET",route="\/livez",status="200"\} (\d+)/
    let metrics: Response
    // While a process starts, its metrics are missing, and so are those of all others.
    do metrics = await fetch(`${service.url}/metrics`)
    while (metrics.status !== 200)
    assert.equal(counts.exec(await metrics.text())?.[1], '20')
    assert.equal(await service.kill('SIGTERM'), 0)
  })

  it('replaces a process that ends unexpectedly, and logs it', async () => {
    const service = await spawnService(harness.databaseUrl, { PROCESSES: '2' })
    const find = (message: string) =>
      service.output.filter((line) => line.includes(message)).map((line) => JSON.parse(line))
    while (find('"msg":"listening"').length < 2) await sleep(50)
    const [{ pid }] = find('"msg":"listening"')
    process.kill(pid, 'SIGKILL')
    while (find('"msg":"listening"').length < 3) await sleep(50)
    const [warning] = find('a service process ended unexpectedly; another one starts')
    assert.deepEqual(
      [warning.level, warning.workerPid, warning.exitCode, warning.signal],
      ['warn', pid, null, 'SIGKILL'],
    )
    assert.equal(await service.kill('SIGTERM'), 0)
  })
})

describe('coffer', () => {
  it('reports all configuration errors and exits with 1', async () => {
    const { code, output } = await coffer({}, 'serve', '--help')
    assert.equal(code, 0)
    assert.match(output, /run the service/)
    const bad = await run(process.execPath, [script, 'serve'], { env: {} }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    assert.equal('code' in bad && bad.code, 1)
    assert.match(bad.stderr, /DATABASE_URL is missing[\s\S]*SECRET_PEPPERS is missing/)
  })

  it('creates a demo user, migrates again without effect, verifies and writes a checkpoint', async () => {
    const app = await makeClientApp(harness.context)
    await harness.admin.query('update ledger.demo set is_demo = true')
    const user = await coffer({}, 'demo-user', app.clientId, '--balance', '12.34')
    assert.match(user.output, /COFFER_SERVICE_USER_ID=su_[0-9a-f]{32}\nBalance: 12\.34 USD/)
    assert.equal((await coffer({}, 'migrate')).output, 'The schema is up to date.\n')
    const folder = mkdtempSync(join(tmpdir(), 'coffer-cli-'))
    const key = join(folder, 'key.pem')
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const file = join(folder, 'heads')
    assert.match(
      (await coffer({}, 'checkpoint', file, '--key', key)).output,
      /Wrote the heads of \d+ wallets/,
    )
    assert.match(
      (await coffer({}, 'verify')).output,
      /The books are sound: \d+ wallets, \d+ operations/,
    )
    const checked = await coffer({}, 'verify', '--checkpoint', file, '--key', key, '--incremental')
    assert.match(checked.output, /sound: \d+ wallets, 0 operations/)
    await harness.admin.query(
      'update ledger.wallets set balance = balance + 1 where balance = 1234',
    )
    const forged = await coffer({}, 'verify')
    assert.equal(forged.code, 1)
    assert.match(
      forged.output,
      /NOT sound[\s\S]*the balance is 1235, its operations add up to 1234/,
    )
    await harness.admin.query(
      'update ledger.wallets set balance = balance - 1 where balance = 1235',
    )
    rmSync(folder, { recursive: true })
  })
})
