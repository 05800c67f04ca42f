import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'

const run = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/start-demo.js', ...words], { cwd: ROOT, encoding: 'utf8' })

describe('npm run demo', () => {
  it('shows its options without a build', () => {
    const { status, stdout } = run('--help')
    assert.equal(status, 0)
    for (const option of ['--env', '--port', '--shop-port', '--app-port', '--mail-port']) {
      assert.match(stdout, new RegExp(`^ {2}${option} `, 'm'))
    }
    assert.doesNotMatch(stdout, /Building/)
  })

  it('refuses an unknown option, before it builds', () => {
    const { status, stderr } = run('--prot', '1')
    assert.equal(status, 1)
    assert.match(stderr, /^Unknown option '--prot'/)
    assert.match(stderr, /Usage: npm run demo/)
    assert.doesNotMatch(stderr, /^ {4}at /m)
  })
})
