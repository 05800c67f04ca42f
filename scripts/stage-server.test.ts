import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { linkModules } from './copy-checkout.ts'
import { stageServer } from './stage-server.ts'

describe('the packed service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-stage-'))
  before(() => {
    stageServer(folder, '9.8.7')
    linkModules(folder)
    // A link to the part of the project that the folder must not need.
    rmSync(join(folder, 'node_modules/@coffer'), { recursive: true })
  })
  after(() => rmSync(folder, { recursive: true }))

  it('contains nothing but JavaScript, and no tests', () => {
    const sources = globSync('{server,contract}/**/*.{js,ts}', { cwd: folder })
    assert(sources.length > 300)
    const faults = sources.filter(
      (file) =>
        /\.ts$|\.test\.|^server\/test\//.test(file) ||
        /@coffer\/contract|from '\.[^']*\.ts'/.test(readFileSync(join(folder, file), 'utf8')),
    )
    assert.deepEqual(faults, [])
  })

  it('runs without the repository, as the version that it was given', () => {
    const run = (...args: string[]) =>
      execFileSync(join(folder, 'bin/coffer'), args, { cwd: folder, encoding: 'utf8' })
    assert.equal(run('--version'), '9.8.7\n')
    assert.match(run('--help'), /^Usage: coffer/)
  })
})
