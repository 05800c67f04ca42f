import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
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

  it('names a port that is in use and the option for it, before it builds', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { status, stdout, stderr } = run('--port=0', '--mail-port=0', `--shop-port=${port}`)
    taken.close()
    assert.equal(status, 1)
    assert.equal(
      stderr,
      `Port ${port} is in use. Choose another one: npm run demo -- --shop-port PORT\n`,
    )
    assert.doesNotMatch(stdout, /Building/)
  })

  it('refuses a port that is not a number, before it builds', () => {
    const { status, stdout, stderr } = run('--port=80a')
    assert.equal(status, 1)
    assert.equal(stderr, '--port needs a number from 0 to 65535, not 80a.\n')
    assert.doesNotMatch(stdout, /Building/)
  })
})
