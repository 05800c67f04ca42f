/** `bin/coffer`: the command that people, systemd and containers start. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { startHarness, testEnv, type Harness } from '../server/test/harness.ts'
import { loadProgram } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'

const COMMAND = join(ROOT, 'bin/coffer')
const run = (command: string, ...words: string[]) =>
  execFileSync(command, words, { encoding: 'utf8', cwd: tmpdir() })

describe('bin/coffer', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('prints its version and its help from any folder, also through a symbolic link', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      version: string
    }
    const folder = mkdtempSync(join(tmpdir(), 'coffer-command-'))
    symlinkSync(COMMAND, join(folder, 'coffer'))
    try {
      assert.equal(run(join(folder, 'coffer'), '--version'), `${version}\n`)
      assert.match(run(COMMAND, '--help'), /^Usage: coffer/)
      assert.match(run(COMMAND, 'serve', '--help'), /^Usage: coffer serve/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('explains every command with --help', async () => {
    const program = await loadProgram()
    const paths = program.commands.flatMap((command) => [
      [command.name()],
      ...command.commands.map((own) => [command.name(), own.name()]),
    ])
    assert(paths.length > 20)
    for (const path of paths) {
      const command = path.reduce(
        (at, name) => at.commands.find((each) => each.name() === name) ?? assert.fail(name),
        program,
      )
      assert(command.description() !== '' || path[0] === 'serve' || path[0] === 'migrate')
      assert.match(command.helpInformation(), new RegExp(`^Usage: coffer ${path.join(' ')}`))
    }
  })

  it('is the service itself: a signal to it stops the service, and no other process remains', async () => {
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0' }
    const child = spawn(COMMAND, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    for await (const line of lines) if (line.includes('"msg":"listening"')) break
    assert.match(readlinkSync(`/proc/${child.pid}/exe`), /\/node$/)
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    assert.equal(children, '')
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })
})
