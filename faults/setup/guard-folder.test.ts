import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardFolder } from './guard-folder.ts'
import { listProcesses, signalProcesses } from './signal-processes.ts'

function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coffer-guard-')))
  const below = join(folder, 'below')
  mkdirSync(below)
  return { folder, below }
}

function sleepIn(cwd: string) {
  return spawn('sleep', ['60'], { cwd, stdio: 'ignore', detached: true })
}

describe('processes of a folder', { skip: !existsSync('/proc/self/cwd') }, () => {
  it('are found by their working folder and their command', async () => {
    const { folder, below } = makeFolder()
    const guard = guardFolder(folder)
    const [above, inside] = [sleepIn(folder), sleepIn(below)]
    await Promise.all([once(above, 'spawn'), once(inside, 'spawn')])
    assert.deepEqual(listProcesses(below), [inside.pid])
    assert.deepEqual(
      listProcesses(folder, (command) => command.startsWith('sleep')),
      [above.pid],
    )
    assert.deepEqual(
      listProcesses(folder, (command) => command.includes('walsender')),
      [],
    )
    const ended = once(inside, 'exit')
    signalProcesses([inside.pid ?? 0], 'SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.deepEqual(listProcesses(below), [])
    await guard.clear()
  })

  it('are killed with it, even if they are stopped', async () => {
    const { folder, below } = makeFolder()
    const guard = guardFolder(folder)
    const sleepers = [sleepIn(folder), sleepIn(below)]
    const ended = sleepers.map((each) => once(each, 'exit'))
    await Promise.all(sleepers.map((each) => once(each, 'spawn')))
    sleepers[1]?.kill('SIGSTOP')
    await guard.clear()
    await Promise.all(ended)
    assert(!existsSync(folder))
  })

  it('are killed when this process is killed', async () => {
    const { folder, below } = makeFolder()
    const module = new URL('guard-folder.ts', import.meta.url).href
    const script = `import(process.argv[1]).then(({ guardFolder }) => {
      guardFolder(process.argv[2])
      console.log('guarded')
      setInterval(() => undefined, 1000)
    })`
    const harness = spawn(process.execPath, ['-e', script, module, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(harness.stdout, 'data')
    const sleeper = sleepIn(below)
    const ended = once(sleeper, 'exit')
    harness.kill('SIGKILL')
    await ended
    for (let tries = 0; existsSync(folder) && tries < 100; tries++) await sleep(50)
    assert(!existsSync(folder))
  })
})
