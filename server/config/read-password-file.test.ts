import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readDatabaseUrl } from '../config.ts'
import { findPassword } from './read-password-file.ts'

describe('the password file of PostgreSQL', () => {
  it('gives the password of the first line that fits', () => {
    const text = `# comment\ndb:5432:coffer:me:first\n*:*:*:me:a\\:b\\\\c\nlocalhost:5433:*:you:local\n`
    const find = (url: string) => findPassword(text, new URL(url))
    assert.equal(find('postgres://me@db/coffer'), 'first')
    assert.equal(find('postgres://me@db:5433/coffer'), 'a:b\\c')
    assert.equal(find('postgres://you@%2Fvar%2Frun:5433/x'), 'local')
    assert.equal(find('postgres://you@db/coffer'), undefined)
  })

  it('is used if DATABASE_URL has no password, and must be private', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-pgpass-'))
    try {
      const file = join(folder, '.pgpass')
      const url = 'postgres://me@db:5432/coffer'
      writeFileSync(file, 'db:5432:coffer:me:p@ss/word\n', { mode: 0o600 })
      const expected = 'postgres://me:p%40ss%2Fword@db:5432/coffer'
      assert.equal(readDatabaseUrl({ DATABASE_URL: url, PGPASSFILE: file }), expected)
      assert.equal(readDatabaseUrl({ DATABASE_URL: url, HOME: folder }), expected)
      assert.equal(readDatabaseUrl({ DATABASE_URL: url, HOME: join(folder, 'none') }), url)
      const own = 'postgres://me:own@db:5432/coffer'
      assert.equal(readDatabaseUrl({ DATABASE_URL: own, PGPASSFILE: file }), own)
      const none = { DATABASE_URL: url, PGPASSFILE: join(folder, 'none') }
      assert.throws(() => readDatabaseUrl(none), /cannot be read \(ENOENT\)\. Check PGPASSFILE/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
