import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'
import { readBlocks } from './read-blocks.ts'
import { writeSums } from './write-sums.ts'

describe('SHA256SUMS.sig', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'coffer-sums-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' })
  before(() => {
    openssl('genpkey', '-algorithm', 'ed25519', '-out', 'key.pem')
    openssl('pkey', '-in', 'key.pem', '-pubout', '-out', 'coffer-release.pub')
    writeFileSync(join(cwd, 'coffer.tar.gz'), 'archive')
    writeSums(cwd, join(cwd, 'key.pem'))
  })
  after(() => rmSync(cwd, { recursive: true }))

  it('is checked by the block in docs/install.md, which finds a changed sum', () => {
    const blocks = readBlocks(readFileSync(`${ROOT}docs/install.md`, 'utf8'))
    const block = blocks.find(({ text }) => text.includes('-verify'))?.text ?? assert.fail()
    const check = () => execFileSync('sh', ['-ec', block], { cwd, stdio: 'pipe' })
    check()
    execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd, stdio: 'pipe' })
    appendFileSync(join(cwd, 'SHA256SUMS'), '\n')
    assert.throws(check)
  })
})
