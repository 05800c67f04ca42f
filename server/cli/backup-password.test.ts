import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { withoutPassword } from './backup-password.ts'

describe('the password of the database during a backup', () => {
  it('is in a file that only its owner can read, not in the arguments of a program', async () => {
    let file = ''
    await withoutPassword('postgres://me:a%3Ab%5Cc@db.example:5433/coffer', async (text) => {
      const url = new URL(text)
      assert.equal(url.password, '')
      assert.doesNotMatch(decodeURIComponent(text), /a:b/)
      assert.deepEqual([url.username, url.host, url.pathname], ['me', 'db.example:5433', '/coffer'])
      file = url.searchParams.get('passfile') ?? ''
      assert.equal(readFileSync(file, 'utf8'), '*:*:*:*:a\\:b\\\\c\n')
      assert.equal(statSync(file).mode & 0o777, 0o600)
    })
    assert.equal(existsSync(file), false)
  })

  it('needs no file if the address has none', async () => {
    const address = 'postgres://me@db.example/coffer'
    await withoutPassword(address, async (text) => assert.equal(text, address))
  })
})
