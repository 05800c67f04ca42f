import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startHarness, testEnv, type Harness } from '../harness.ts'

describe('coffer serve, when its log is no longer read', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('still stops', async () => {
    const script = fileURLToPath(new URL('../../coffer.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0' }
    const child = spawn(process.execPath, [script, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })
    for await (const line of lines) if (line.includes('"msg":"listening"')) break
    child.stdout.destroy()
    const ended = once(child, 'exit').then(() => true)
    child.kill('SIGINT')
    const hasEnded = await Promise.race([ended, sleep(10_000, false)])
    child.kill('SIGKILL')
    assert.ok(hasEnded, 'it still runs 10 s after SIGINT')
  })
})
