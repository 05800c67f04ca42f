/** `deploy/systemd`: systemd accepts the units, and their settings fit the service. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { VARIABLES } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'

const read = (file: string) => readFileSync(join(ROOT, 'deploy/systemd', file), 'utf8')
const UNITS = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT }).map((file) =>
  basename(file),
)
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined

describe('deploy/systemd', () => {
  const skip = isMissing && 'systemd is not on this machine'

  it('has units that systemd accepts', { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-units-'))
    try {
      for (const unit of UNITS) {
        // The commands are not installed on this machine.
        const text = read(unit).replaceAll('/opt/coffer/current/bin/coffer', '/bin/true')
        writeFileSync(join(folder, unit.replace('@', '@8081')), text)
      }
      const files = UNITS.map((unit) => join(folder, unit.replace('@', '@8081')))
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', '--recursive-errors=no', ...files],
        { encoding: 'utf8' },
      )
      const faults = stderr.split('\n').filter((line) => line.includes('coffer'))
      assert.deepEqual([status, faults], [0, []])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('gives the service more time to stop than it needs', () => {
    const graceMs = /^const GRACE_MS = ([\d_]+)$/m.exec(
      readFileSync(join(ROOT, 'server/main.ts'), 'utf8'),
    )?.[1]
    const stopSeconds = /^TimeoutStopSec=(\d+)$/m.exec(read('coffer@.service'))?.[1]
    assert(Number(stopSeconds) * 1000 > Number(graceMs?.replaceAll('_', '')))
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
