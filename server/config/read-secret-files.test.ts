import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConfig, readDatabaseUrl } from '../config.ts'
import { SECRETS } from './read-secret-files.ts'

const keys = (byte: number) => `k1:${Buffer.alloc(32, byte).toString('base64')}`
const VALUES: Record<string, string> = {
  DATABASE_URL: 'postgres://me:secret@db:5432/coffer',
  SECRET_PEPPERS: keys(1),
  ADMIN_KEYS: keys(2),
  SMTP_URL: 'smtp://user:secret@mail.example:587',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const OTHERS = { MAIL_FROM: 'no-reply@wallet.example', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-secrets-'))
  after(() => rmSync(folder, { recursive: true }))

  function write(name: string, content: string) {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }

  it('is used without the newline at its end, for every secret', () => {
    assert.deepEqual(Object.keys(VALUES), SECRETS)
    for (const end of ['', '\n', '\r\n']) {
      const files = SECRETS.map((name) => [`${name}_FILE`, write(name, `${VALUES[name]}${end}`)])
      const config = readConfig({ ...OTHERS, ...Object.fromEntries(files) })
      assert.deepEqual(config, readConfig({ ...OTHERS, ...VALUES }))
    }
  })

  it('loses nothing but one newline', () => {
    const spaced = write('spaced', `postgres://db/coffer?options=a \n\n`)
    assert.equal(
      readDatabaseUrl({ DATABASE_URL_FILE: spaced }),
      'postgres://db/coffer?options=a \n',
    )
  })

  it('is an error that names variable and file: set twice, not there, a folder, empty', () => {
    const { DATABASE_URL = '' } = VALUES
    const good = write('good', DATABASE_URL)
    const cases: [env: Record<string, string>, message: string][] = [
      [
        { DATABASE_URL, DATABASE_URL_FILE: good },
        `DATABASE_URL_FILE=${good} and DATABASE_URL are both set. Remove one of them.`,
      ],
      [
        { DATABASE_URL_FILE: join(folder, 'none') },
        `DATABASE_URL_FILE=${join(folder, 'none')} cannot be read (ENOENT). Check the path, and that the user who runs the command may read the file.`,
      ],
      [{ DATABASE_URL_FILE: folder }, `DATABASE_URL_FILE=${folder} cannot be read (EISDIR).`],
      ...['', '\n'].map((content, index): [Record<string, string>, string] => {
        const file = write(`empty${index}`, content)
        return [{ DATABASE_URL_FILE: file }, `DATABASE_URL_FILE=${file} is empty.`]
      }),
    ]
    for (const [env, message] of cases) {
      for (const read of [readDatabaseUrl, readConfig]) {
        assert.throws(
          () => read(env),
          ({ message: text }: Error) => {
            assert(text.includes(`\n  ${message}`), text)
            assert(!text.includes('DATABASE_URL is missing') && !text.includes('secret@'))
            return true
          },
        )
      }
    }
  })

  it('is reported together with all other errors', () => {
    const env = { SECRET_PEPPERS_FILE: join(folder, 'none'), PORT: 'x' }
    assert.throws(
      () => readConfig(env),
      /SECRET_PEPPERS_FILE=.*\n[^]*DATABASE_URL is missing[^]*PORT must/,
    )
  })

  it('is not read by a command that does not need it', () => {
    const { DATABASE_URL } = VALUES
    const none = join(folder, 'none')
    assert.equal(readDatabaseUrl({ DATABASE_URL, SECRET_PEPPERS_FILE: none }), DATABASE_URL)
    assert.equal(readDatabaseUrl({ DATABASE_URL, DATABASE_URL_FILE: '' }), DATABASE_URL)
  })
})
