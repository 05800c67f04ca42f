/** `deploy/systemd`: systemd accepts the units, and their settings fit the service. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { VARIABLES } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'
import { skipWithout } from './find-program.ts'

const read = (file: string) => readFileSync(join(ROOT, 'deploy/systemd', file), 'utf8')
const UNITS = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT }).map((file) =>
  basename(file),
)

/** Out of 100; systemd calls less than 50 "OK". */
const EXPOSURE_MAX = 35

describe('deploy/systemd', () => {
  const skip = skipWithout('systemd-analyze', 'systemd')

  describe('for systemd-analyze', { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-units-'))
    const files = UNITS.map((unit) => join(folder, unit.replace('@', '@8081')))
    const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    before(() => {
      for (const [index, unit] of UNITS.entries()) {
        // The commands are not installed on this machine.
        const text = read(unit).replaceAll('/opt/coffer/current/bin/coffer', '/bin/true')
        writeFileSync(files[index] ?? '', text)
      }
    })
    after(() => rmSync(folder, { recursive: true }))

    it('has units that systemd accepts', () => {
      const options = ['--man=no', '--recursive-errors=no']
      const { status, stderr } = analyze('verify', ...options, ...files)
      const faults = stderr.split('\n').filter((line) => line.includes('coffer'))
      assert.deepEqual([status, faults], [0, []])
    })

    it('gives its services few rights', () => {
      for (const file of files.filter((name) => name.endsWith('.service'))) {
        const options = ['--offline=true', `--threshold=${EXPOSURE_MAX}`]
        const { status, stdout, stderr } = analyze('security', ...options, file)
        assert.equal(status, 0, stdout + stderr)
      }
    })
  })

  it('gives the service more time to stop than it needs', () => {
    const times = ['server/main.ts', 'server/http/create-drain.ts'].flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return [...text.matchAll(/^const (?:GRACE|DRAIN|TURN_AWAY)_MS = ([\d_]+)$/gm)]
    })
    assert.equal(times.length, 3)
    const neededMs = times.reduce((sum, [, ms = '']) => sum + Number(ms.replaceAll('_', '')), 0)
    const stopSeconds = /^TimeoutStopSec=(\d+)$/m.exec(read('coffer@.service'))?.[1]
    assert(Number(stopSeconds) * 1000 > neededMs)
  })

  it('sets only variables that exist, and every file that a unit reads is there', () => {
    const files = globSync('deploy/systemd/*.env', { cwd: ROOT }).map((file) => basename(file))
    for (const file of files) {
      const names = [...read(file).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name)
      assert.deepEqual(
        names.filter((name) => !VARIABLES.has(name)),
        [],
      )
    }
    const wanted = UNITS.flatMap((unit) =>
      [...read(unit).matchAll(/^EnvironmentFile=\/etc\/coffer\/(\S+)$/gm)].map(([, file]) => file),
    )
    assert.deepEqual(new Set(files), new Set(wanted))
  })
})
