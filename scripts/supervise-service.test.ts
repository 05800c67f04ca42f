/** deploy/systemd/coffer@.service under a supervisor that behaves like systemd, while a client debits with retries. */
import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { startHarness, testEnv, type Harness } from '../server/test/harness.ts'
import { Supervisor } from './act-as-systemd.ts'
import { ROOT } from './copy-checkout.ts'
import { findFreePorts } from './find-free-ports.ts'

const START_MINOR = 10_000_000n
const CLIENTS = 4
const RETRY_MS = 20

interface Outcome {
  /** undefined: no response. */
  status: number | undefined
  /** The service had executed an earlier attempt. */
  isReplay: boolean
}

describe('deploy/systemd/coffer@.service under a supervisor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-supervised-'))
  let harness: Harness
  let systemd: Supervisor
  let port = 0
  let send: (referenceId: string) => Promise<Outcome>
  let readBalance: () => Promise<bigint | undefined>

  before(async () => {
    harness = await startHarness()
    // 1%i would not be a port with the high ports of tests.
    port = (await findFreePorts(1))[0] ?? 0
    const unit = readFileSync(join(ROOT, 'deploy/systemd/coffer@.service'), 'utf8')
      .replace('METRICS_PORT=1%i ', '')
      .replace('/etc/coffer/coffer.env', join(folder, 'coffer.env'))
      .replace('/opt/coffer/current', join(folder, 'current'))
    writeFileSync(join(folder, 'coffer@.service'), unit)
    const env = Object.entries(testEnv(harness.databaseUrl)).map((pair) => pair.join('='))
    writeFileSync(join(folder, 'coffer.env'), `${env.join('\n')}\n`)
    symlinkSync(ROOT, join(folder, 'old'))
    symlinkSync(ROOT, join(folder, 'new'))
    systemd = new Supervisor(folder, { PATH: process.env['PATH'] })
    const app = await makeClientApp(harness.context)
    const user = await makeLinkedUser(harness.context, app, START_MINOR)
    const { clientId, clientSecret } = app
    const { serviceUserId } = user
    send = (referenceId) =>
      debit(port, {
        clientId,
        clientSecret,
        serviceUserId,
        amount: 1,
        referenceType: 'ORDER_PAYMENT',
        referenceId,
      })
    readBalance = async () => (await harness.context.ledger.readWallet(user.walletId))?.balance
  })

  after(async () => {
    await systemd.stopAll()
    await harness.end()
    rmSync(folder, { recursive: true })
  })

  const unitName = () => `coffer@${port}`

  async function use(version: 'old' | 'new') {
    rmSync(join(folder, 'current'), { force: true })
    symlinkSync(join(folder, version), join(folder, 'current'))
    await systemd.start(unitName())
  }

  it('loses nothing at SIGTERM, SIGKILL, upgrade and rollback, and leaves no process behind', async () => {
    await use('old')
    const state = { isDone: false, isKilled: false, debits: 0 }
    /** Requests that were executed while the service stopped in order, and whose responses did not arrive. */
    const lost: string[] = []

    async function debitUntilDone(client: number) {
      for (let index = 0; !state.isDone; index++) {
        const referenceId = `c${client}-${index}`
        let mayLose = state.isKilled
        let outcome = await send(referenceId)
        while (outcome.status !== 200) {
          assert(outcome.status === undefined || outcome.status >= 500, String(outcome.status))
          mayLose ||= state.isKilled
          await pause(RETRY_MS)
          outcome = await send(referenceId)
        }
        if (outcome.isReplay && !mayLose) lost.push(referenceId)
        state.debits++
      }
    }

    async function debitSome() {
      const enough = state.debits + 20
      while (state.debits < enough) await pause(RETRY_MS)
    }

    async function replace(version: 'old' | 'new') {
      const pid = systemd.pidOf(unitName())
      assert.match(readlinkSync(`/proc/${pid}/exe`), /\/node$/)
      const stopped = await systemd.stop(unitName())
      assert.deepEqual(stopped, { code: 0, wasKilled: false, hasOrphans: false })
      await use(version)
      await debitSome()
    }

    const clients = Array.from({ length: CLIENTS }, (_, client) => debitUntilDone(client))
    const story = async () => {
      await debitSome()
      await replace('new')
      await replace('old')
      state.isKilled = true
      process.kill(systemd.pidOf(unitName()) ?? 0, 'SIGKILL')
      await debitSome()
      state.isDone = true
    }
    await Promise.all([story(), ...clients])
    assert.deepEqual(lost, [])
    assert.equal(await readBalance(), START_MINOR - BigInt(state.debits) * 100n)
    assert.doesNotMatch(systemd.journal, /is in use|EADDRINUSE/)
  })
})

/** One request on a connection of its own. */
async function debit(port: number, fields: Record<string, unknown>): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const options = { method: 'POST', headers, body: JSON.stringify(fields) }
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/server/wallet/debit`, options)
    await response.arrayBuffer()
    const isReplay = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, isReplay }
  } catch {
    return { status: undefined, isReplay: false }
  }
}
