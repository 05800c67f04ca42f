import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { loadSettings, parseSettings } from './load-settings.ts'

describe('the settings of the machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-settings-'))
  const file = join(folder, 'coffer.env')
  before(() => {
    writeFileSync(file, 'DATABASE_URL=postgres://me@db/coffer\nCURRENCY=USD\n', { mode: 0o600 })
    chmodSync(folder, 0o755)
  })
  after(() => rmSync(folder, { recursive: true }))

  it('are loaded if the environment has no DATABASE_URL; its other variables win', () => {
    const env = { CURRENCY: 'EUR' }
    loadSettings(env, file)
    assert.deepEqual(env, { CURRENCY: 'EUR', DATABASE_URL: 'postgres://me@db/coffer' })
    for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE']) {
      const complete = { [name]: 'own' }
      loadSettings(complete, file)
      assert.deepEqual(complete, { [name]: 'own' })
    }
  })

  it('need not exist', () => {
    const env = {}
    loadSettings(env, join(folder, 'none'))
    assert.deepEqual(env, {})
  })

  const skip = process.getuid?.() !== 0 && 'only root can act as another user'
  it('ask for sudo if another user runs the command', { skip }, () => {
    process.seteuid?.(65_534)
    try {
      assert.throws(() => loadSettings({}, file), /coffer\.env.*\nRun the command with sudo\.$/)
    } finally {
      process.seteuid?.(0)
    }
  })

  // The values are what systemd 252 gives to a process with this EnvironmentFile.
  it('are read as systemd reads them', () => {
    const cases: [text: string, value: string][] = [
      ['A=plain', 'plain'],
      ['  A = padded  ', 'padded'],
      ['A=', ''],
      ['A="two words"', 'two words'],
      [`A='single "quoted"'`, 'single "quoted"'],
      ['A=a#b # no comment', 'a#b # no comment'],
      ['A=$HOME ${HOME}', '$HOME ${HOME}'],
      [String.raw`A="\"q\" \\ \$ \n"`, String.raw`"q" \ $ \n`],
      [String.raw`A=a\ b\\c\"d`, String.raw`a b\c"d`],
      ['A=one \\\ntwo', 'one two'],
      [`A="joined "'parts 'here`, 'joined parts here'],
      [`A=don't "care"`, `don't "care"`],
      ['A="two\nlines"', 'two\nlines'],
    ]
    for (const [text, value] of cases) {
      assert.deepEqual(parseSettings(`# A=1\n;A=2\n\n${text}\nB=next\n`), [
        ['A', value],
        ['B', 'next'],
      ])
    }
  })
})
