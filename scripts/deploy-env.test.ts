/** Files of settings: everything that reads such a file gets the same values from it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { readConfig } from '../server/config.ts'
import { SECRETS } from '../server/config/read-secret-files.ts'
import { FILE_VARIABLES, VARIABLES } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'
import { findProgram, skipWithout } from './find-program.ts'

const FILES = ['deploy/container.env', 'deploy/systemd/coffer.env']

type Values = Record<string, string>

/** The rule of --env-file of docker and podman: what follows the first = is the value, as it is. */
function readLiterally(text: string): Values {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

function readWithShell(file: string): Values {
  const script = 'set -a; . "$1"; env -0'
  const output = execFileSync('env', ['-i', 'sh', '-euc', script, 'sh', file], { encoding: 'utf8' })
  const pairs = output.split('\0').filter(Boolean)
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
}

function readWithKubectl(file: string): Values {
  const args = ['create', 'configmap', 'coffer', `--from-env-file=${file}`]
  const output = execFileSync('kubectl', [...args, '--dry-run=client', '--output=yaml'])
  return (parse(String(output)) as { data: Values }).data
}

function readWithCompose(file: string): Values {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-env-'))
  const compose = join(folder, 'compose.yaml')
  writeFileSync(compose, JSON.stringify({ services: { a: { image: 'a', env_file: [file] } } }))
  const output = execFileSync('docker-compose', ['-f', compose, 'config'], { stdio: 'pipe' })
  rmSync(folder, { recursive: true })
  const { services } = parse(String(output)) as { services: { a: { environment: Values } } }
  return services.a.environment
}

for (const name of FILES) {
  describe(name, () => {
    const file = join(ROOT, name)
    const text = readFileSync(file, 'utf8')
    const values = readLiterally(text)

    it('has only values that no reader changes, also in its comments', () => {
      const all = { ...values, ...readLiterally(text.replaceAll(/^#(?=[A-Z_]+=)/gm, '')) }
      for (const [variable, value] of Object.entries(all)) {
        assert(VARIABLES.has(variable) || FILE_VARIABLES.includes(variable), variable)
        assert.match(value, /^[\w@%+=:,./?-]*$/, variable)
      }
    })

    it('has the same values for sh and dotenv', () => {
      assert.deepEqual({ ...parseEnv(text) }, values)
      const { PWD: _folder, ...shown } = readWithShell(file)
      assert.deepEqual(shown, values)
    })

    const kubectl = findProgram('kubectl') ? false : 'kubectl is not installed.'
    it('has the same values for kubectl', { skip: kubectl }, () => {
      assert.deepEqual(readWithKubectl(file), values)
    })

    it('has the same values for docker-compose', { skip: skipWithout('docker-compose') }, () => {
      assert.deepEqual(readWithCompose(file), values)
    })
  })
}

describe('deploy/container.env', () => {
  it('is a sound configuration with the files that docs/containers.md creates', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-env-'))
    const secrets: Values = {
      DATABASE_URL: 'postgres://coffer_login:secret@db.internal:5432/coffer\n',
      SECRET_PEPPERS: `p1:${Buffer.alloc(32, 1).toString('base64')}\n`,
      ADMIN_KEYS: `a1:${Buffer.alloc(32, 2).toString('base64')}\n`,
      SMTP_URL: 'smtp://user:secret@mail.example:587',
    }
    const docs = readFileSync(join(ROOT, 'docs/containers.md'), 'utf8')
    for (const [name, value] of Object.entries(secrets)) {
      assert(SECRETS.includes(name) && docs.includes(`>secrets/${name}`), name)
      writeFileSync(join(folder, name), value)
    }
    const text = readFileSync(join(ROOT, 'deploy/container.env'), 'utf8')
    const env = readLiterally(text.replaceAll('/run/secrets/coffer', folder))
    const config = readConfig(env)
    rmSync(folder, { recursive: true })
    assert.equal(config.mail?.smtpUrl, secrets['SMTP_URL'])
    assert.equal(config.host, '0.0.0.0')
  })
})
