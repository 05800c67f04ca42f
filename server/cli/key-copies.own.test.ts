/** The copies of keys as an operator makes and checks them: lost machines, weak passphrases, rotated and wrong keys. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { requireKeys } from '../admin/switches/require-keys.ts'
import { readConfig } from '../config.ts'
import { makeOperator } from '../test/admin-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { startHarness, testEnv, type Harness } from '../test/harness.ts'
import { skipWithout } from '../../scripts/find-program.ts'

const COFFER = fileURLToPath(new URL('../coffer.ts', import.meta.url))
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const KEYS = { SECRET_PEPPERS: newKey('p1'), ADMIN_KEYS: newKey('a1') }
const PASSPHRASE = 'six words that nobody else has'

describe('copies of the keys', () => {
  let harness: Harness
  const folder = mkdtempSync(join(tmpdir(), 'coffer-copies-'))
  const passphraseFile = join(folder, 'passphrase')
  const copy = join(folder, 'keys')
  before(async () => {
    harness = await startHarness(KEYS)
    await requireKeys(harness.context.db, harness.context.config)
    await makeClientApp(harness.context)
    await makeOperator(harness, 'owner')
    writeFileSync(passphraseFile, `${PASSPHRASE}\n`, { mode: 0o600 })
  })
  after(async () => {
    await harness.end()
    rmSync(folder, { recursive: true })
  })

  function coffer(args: string[], env: Record<string, string> = KEYS) {
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    return new Promise<{ status: number; text: string }>((resolve) => {
      execFile(
        process.execPath,
        [COFFER, ...args],
        { env: all, timeout: 60_000 },
        (error, stdout, stderr) =>
          resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }
  const keys = (verb: string, file = copy, env = KEYS) =>
    coffer(['keys', verb, file, '--passphrase-file', passphraseFile], env)

  async function doctorSays() {
    const { text } = await coffer(['doctor', '--json'])
    const { findings } = JSON.parse(text) as { findings: { check: string; text: string }[] }
    return findings.find(({ check }) => check === 'copies')?.text
  }

  it('are missed by the doctor until one was made and checked, and again after 90 days', async () => {
    assert.match((await doctorSays()) ?? '', /^No copy of these keys.*: SECRET_PEPPERS p1, ADMIN_K/)
    const made = await keys('export')
    assert.match(made.text, /contains SECRET_PEPPERS and ADMIN_KEYS, encrypted.\n.*\n.*keys check/)
    assert.equal(statSync(copy).mode & 0o777, 0o600)
    assert.match((await doctorSays()) ?? '', /^No copy of these keys was ever checked/)
    // Where the copy is, there are no keys.
    const checked = await keys('check', copy, { SECRET_PEPPERS: '' } as never)
    assert.equal(checked.status, 0, checked.text)
    assert.match(
      checked.text,
      /every key that the database needs: SECRET_PEPPERS p1, ADMIN_KEYS a1/,
    )
    assert.equal(await doctorSays(), 'The copy of the keys was checked 0 days ago.')
    const { rows } = await harness.admin.query(
      `select action, after from admin.audit where action like 'keys.%' order by id`,
    )
    assert.deepEqual(rows, [
      { action: 'keys.export', after: null },
      { action: 'keys.check', after: { keys: ['SECRET_PEPPERS p1', 'ADMIN_KEYS a1'] } },
    ])
    await harness.admin.query(
      `update directory.key_fingerprints set copy_checked_at = now() - interval '91 days 1 hour' where key_id = 'a1'`,
    )
    assert.equal(await doctorSays(), 'The copy of the keys was last checked 91 days ago.')
    assert.equal((await keys('check')).status, 0)
    assert.equal(await doctorSays(), 'The copy of the keys was checked 0 days ago.')
  })

  it('restore the lines of the environment, and overwrite nothing', async () => {
    const { text } = await keys('show')
    assert.equal(text, `SECRET_PEPPERS=${KEYS.SECRET_PEPPERS}\nADMIN_KEYS=${KEYS.ADMIN_KEYS}\n`)
    const earlier = readFileSync(copy, 'utf8')
    const again = await keys('export')
    assert.deepEqual([again.status, readFileSync(copy, 'utf8')], [1, earlier])
    assert.match(again.text, /already exists. Choose another name/)
  })

  it('are refused by the check if a key in use is missing or another one, and nothing is recorded', async () => {
    const { admin } = harness
    await admin.query('update directory.key_fingerprints set copy_checked_at = null')
    const copyOf = async (name: string, values: Record<string, string>) => {
      const { writeKeyCopy } = await import('./key-copy.ts')
      writeFileSync(join(folder, name), await writeKeyCopy(values, PASSPHRASE))
      return keys('check', join(folder, name))
    }
    const other = await copyOf('other', { ...KEYS, SECRET_PEPPERS: newKey('p2') })
    assert.match(
      other.text,
      /is not enough to use this database:\n {2}SECRET_PEPPERS p1 is missing: 1 client secret and 0 webhooks need it\.\n.*keys export/,
    )
    const none = await copyOf('none', { SECRET_PEPPERS: KEYS.SECRET_PEPPERS })
    assert.match(
      none.text,
      /ADMIN_KEYS a1 is missing: 1 authenticator and the recovery codes of 1 operator need it/,
    )
    const wrong = await copyOf('wrong', { ...KEYS, ADMIN_KEYS: newKey('a1') })
    assert.match(wrong.text, /ADMIN_KEYS has a wrong key a1/)
    // Without its fingerprint, a wrong key is noticed by what it cannot decrypt; a pepper cannot be compared.
    await admin.query('create table kept as select * from directory.key_fingerprints')
    await admin.query('delete from directory.key_fingerprints')
    const unknown = await copyOf('unknown', { ...KEYS, ADMIN_KEYS: newKey('a1') })
    assert.match(
      unknown.text,
      /SECRET_PEPPERS p1 cannot be compared before the service has started/,
    )
    assert.match(unknown.text, /ADMIN_KEYS a1 does not decrypt the authenticator of .*@example/)
    await admin.query('insert into directory.key_fingerprints select * from kept')
    for (const { status } of [other, none, wrong, unknown]) assert.equal(status, 1)
    const { rows } = await admin.query(
      'select count(copy_checked_at)::int as checked from directory.key_fingerprints',
    )
    assert.deepEqual(rows, [{ checked: 0 }])
  })

  it('are out of date after a key was added, until a new copy was checked', async () => {
    assert.equal((await keys('check')).status, 0)
    const rotated = { ...KEYS, SECRET_PEPPERS: `${KEYS.SECRET_PEPPERS},${newKey('p2')}` }
    const config = readConfig({ ...testEnv(harness.databaseUrl), ...rotated })
    await requireKeys(harness.context.db, config)
    const doctor = async () => (await coffer(['doctor'], rotated)).text
    assert.match(await doctor(), /! No copy of these keys was ever checked: SECRET_PEPPERS p2\./)
    const old = await keys('check')
    assert.match(old.text, /SECRET_PEPPERS p2 is not in the copy. Nothing in the database needs it/)
    assert.match(await doctor(), /No copy of these keys was ever checked: SECRET_PEPPERS p2\./)
    const renewed = join(folder, 'renewed')
    assert.equal((await keys('export', renewed, rotated)).status, 0)
    assert.equal((await keys('check', renewed)).status, 0)
    assert.match(await doctor(), /✓ The copy of the keys was checked 0 days ago/)
  })

  it('need a passphrase that is hard to guess, and a file of it that nobody else can read', async () => {
    const file = join(folder, 'weak')
    const weak = join(folder, 'weak-passphrase')
    for (const [text, says] of [
      ['', /The passphrase is empty/],
      ['short', /too easy to guess: it needs 16 characters/],
      ['passwordpassword', /too easy to guess/],
      ['abababababababababab', /too easy to guess/],
    ] as const) {
      writeFileSync(weak, `${text}\n`, { mode: 0o600 })
      const { status, text: said } = await coffer([
        'keys',
        'export',
        file,
        '--passphrase-file',
        weak,
      ])
      assert.equal(status, 1)
      assert.match(said, says)
    }
    writeFileSync(weak, PASSPHRASE)
    chmodSync(weak, 0o644)
    const open = await coffer(['keys', 'export', file, '--passphrase-file', weak])
    assert.match(open.text, /Other users can read the passphrase in .*chmod 600/)
    const mute = await coffer(['keys', 'export', file])
    assert.match(mute.text, /There is no terminal to ask .* --passphrase-file/)
    assert.throws(() => statSync(file), /ENOENT/)
  })

  const skip = skipWithout('script')
  it('ask for the passphrase on a terminal without showing it', { skip }, async () => {
    const file = join(folder, 'typed')
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...KEYS }
    /** Answers each question with the next of these texts. Returns what the terminal showed. */
    async function type(verb: string, ...answers: string[]) {
      const command = `"${process.execPath}" "${COFFER}" keys ${verb} "${file}"`
      const child = spawn('script', ['--quiet', '--command', command, '/dev/null'], { env })
      let shown = ''
      for await (const chunk of child.stdout) {
        shown += String(chunk)
        if (/Passphrase[^:]*: $/.test(shown)) child.stdin.write(answers.shift() ?? '\u0003')
      }
      assert(!shown.includes(PASSPHRASE), shown)
      return shown
    }
    const line = `${PASSPHRASE}\r`
    assert.match(await type('export', line, line), /encrypted/)
    assert((await type('show', line)).includes(KEYS.SECRET_PEPPERS))
    rmSync(file)
    assert.match(await type('export', line, 'something else\r'), /passphrases differ/)
    assert.match(await type('export'), /No passphrase was entered/)
    assert.throws(() => statSync(file), /ENOENT/)
  })
})
