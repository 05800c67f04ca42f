/** The files that the Dockerfile copies, and compose.yaml, simulated by processes that run from the image's files. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { databaseUrlFor } from '../server/test/database.ts'
import { connectAdmin } from '../server/test/harness.ts'
import { ROOT } from './copy-checkout.ts'
import { playCompose, type Played } from './play-compose.ts'
import { isKeptOut, readCopies, readSetting, readStages, unpackImage } from './unpack-image.ts'

describe('Dockerfile', () => {
  const stages = readStages()
  const setting = (name: string) => readSetting('service', name)

  it('builds the image for production unless another target is named', () => {
    assert.equal(stages.at(-1)?.name, 'service')
  })

  it('pins every base image by digest, as compose.yaml does', () => {
    const names = new Set(stages.map(({ name }) => name))
    const bases = stages.map(({ from }) => from).filter((from) => !names.has(from))
    const others = [
      ...readFileSync(`${ROOT}compose.yaml`, 'utf8').matchAll(/image: (?!coffer-)(\S+:\S+)/g),
    ]
    assert.equal(new Set(bases).size, 1)
    assert(others.length > 0)
    for (const image of [...bases, ...others.map(([, name = '']) => name)]) {
      assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
    }
  })

  it('copies only files that exist or that the build creates', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      scripts: Record<string, string>
    }
    const build = stages.find(({ name }) => name === 'build')?.instructions ?? []
    assert(build.some(({ name, text }) => name === 'RUN' && text.includes('npm run build')))
    for (const { from } of readCopies('demo')) {
      const workspace = /^(\w+)\/dist$/.exec(from)?.[1]
      if (workspace) assert.match(scripts['build'] ?? '', new RegExp(`--workspace ${workspace}\\b`))
      assert(existsSync(`${ROOT}${from}`), `${from} is not there`)
    }
  })

  it('installs the packages of every workspace from its own list', () => {
    const { workspaces } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      workspaces: string[]
    }
    const packages = stages.find(({ name }) => name === 'packages')?.instructions ?? []
    const copied = packages.filter(({ name }) => name === 'COPY').map(({ text }) => text)
    assert.deepEqual(
      copied.slice(1),
      workspaces.map((name) => `${name}/package.json ./${name}/`),
    )
    for (const name of workspaces) {
      assert(!isKeptOut(`${name}/package.json`), `${name}/package.json is not sent to the builder`)
    }
  })

  it('has no sandbox, example, tests or tools in the image for production', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-image-'))
    unpackImage('service', folder)
    const files = globSync('**', { cwd: folder, exclude: ['node_modules'] })
    const packages = globSync('node_modules/{*,@*/*}', { cwd: folder })
    rmSync(folder, { recursive: true })
    assert(files.includes('server/coffer.ts') && files.includes('web/dist'))
    assert(packages.includes('node_modules/pg'))
    const tops = new Set(files.map((file) => file.split('/')[0]))
    tops.delete('.')
    assert.deepEqual(tops, new Set(['package.json', 'contract', 'server', 'web', 'site']))
    assert.deepEqual(
      files.filter((file) => /\.test\.ts$|(^|\/)test(\/|$)|\.(pem|db)$/.test(file)),
      [],
    )
    assert.deepEqual(
      packages.filter((name) =>
        /typescript|playwright|vite|prettier|smtp-server|@coffer\/sdk/.test(name),
      ),
      [],
    )
  })

  it('runs as an unprivileged user and starts a file that exists', () => {
    assert.equal(setting('USER'), 'node')
    assert.equal(readSetting('demo', 'USER'), 'node')
    assert.equal(setting('STOPSIGNAL'), 'SIGTERM')
    const [program, file] = JSON.parse(setting('ENTRYPOINT') ?? '[]') as string[]
    assert.equal(program, 'node')
    assert(existsSync(`${ROOT}${file}`))
  })

  it('contains no secret and no local files of the builder', () => {
    const text = stages
      .flatMap(({ instructions }) => instructions.map((line) => line.text))
      .join('\n')
    assert.doesNotMatch(text, /SECRET|PEPPER|KEY|PASSWORD|DATABASE_URL/)
    const kept = [
      '.env',
      'example/.env',
      'example/.env.local',
      'a/checkpoint.pem',
      'example/shop.db',
    ]
    for (const file of [...kept, '.git/config', 'node_modules/x', 'server/test/harness.ts']) {
      assert(isKeptOut(file), `${file} would be sent to the builder`)
    }
  })
})

describe('compose.yaml', () => {
  const name = `coffer_compose_${randomBytes(6).toString('hex')}`
  let played: Played

  before(async () => {
    const admin = await connectAdmin(databaseUrlFor('postgres'))
    await admin.query(`create database ${name}`)
    await admin.end()
    played = await playCompose(databaseUrlFor(name))
  })
  after(async () => {
    await played.stop()
    const admin = await connectAdmin(databaseUrlFor('postgres'))
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })

  const credentials = () => readFileSync(join(played.volume, 'coffer.env'), 'utf8')

  async function lookUp(): Promise<number> {
    const [id, secret] = [...credentials().matchAll(/=(\S+)$/gm)].map(([, value]) => value)
    const authorization = `Basic ${btoa(`${id}:${secret}`)}`
    const url = `${played.service}/api/server/operations?referenceType=A&referenceId=b`
    return (await fetch(url, { headers: { authorization } })).status
  }

  it('migrates an empty database, with read-only files', async () => {
    assert.match(await played.run('service', ['--help']), /Usage: coffer/)
    assert.match(await played.run('migrate'), /^Applied:/)
    assert.match(await played.run('migrate'), /^The schema is up to date/)
  })

  it('starts the card processor and the service', async () => {
    const { environment } = played.services['service'] ?? {}
    await played.start('sandbox', environment?.['STRIPE_SCRIPT_URL'] ?? '')
    await played.start('service', `${played.service}/readyz`)
    // It exits with 1, because the PostgreSQL of the tests runs without fsync.
    const findings = await played.run('service', ['doctor']).catch((error: Error) => error.message)
    assert.match(findings, /✓ The schema is up to date/)
    assert.match(findings, /✓ The card processor accepts the credentials \(test keys/)
    for (const path of ['/docs/integration', '/account', '/admin', '/docs/api/']) {
      const response = await fetch(played.service + path)
      assert.equal(response.status, 200, path)
      assert.match(await response.text(), /^<!doctype html>/i)
    }
    const webhook = played.services['sandbox']?.command?.find((word) =>
      word.startsWith('--webhook-url='),
    )
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(webhook?.split('=')[1] ?? '', {
      method: 'POST',
      headers,
      body: '{}',
    })
    assert.match(await response.text(), /INVALID_SIGNATURE/)
  })

  it('registers the shop once, even if the command is run again or was interrupted', async () => {
    await played.run('register')
    assert.match(credentials(), /^COFFER_CLIENT_ID=app_\w+\nCOFFER_CLIENT_SECRET=coffer_sk_\S+\n$/)
    assert.equal(await lookUp(), 404)
    const first = credentials()
    await played.run('register')
    assert.equal(credentials(), first)
    writeFileSync(join(played.volume, 'coffer.env'), '')
    await played.run('register')
    assert.notEqual(credentials(), first)
    assert.equal(await lookUp(), 404)
  })

  it('starts the shop, where users can sign up and see the wallet', async () => {
    await played.start('shop', played.shop)
    const post = (path: string, headers: Record<string, string>, body?: URLSearchParams) =>
      fetch(played.shop + path, {
        method: 'POST',
        headers: { origin: played.shop, ...headers },
        redirect: 'manual',
        ...(body && { body }),
      })
    const form = new URLSearchParams({ name: 'ada', password: 'coffee' })
    const entered = await post('/sign-up', {}, form)
    assert.equal(entered.status, 303)
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    assert.match(
      await (await post('/wallet/session', { cookie })).text(),
      /^\{"challenge":"[\w-]{43}"\}$/,
    )
    const page = await (await fetch(played.shop, { headers: { cookie } })).text()
    assert(page.includes(`data-service-url="${played.service}"`))
    const clientId = /COFFER_CLIENT_ID=(\S+)/.exec(credentials())?.[1] ?? ''
    const frame = await fetch(`${played.service}/widget/wallet?clientId=${clientId}`, {
      headers: { referer: `${played.shop}/` },
    })
    const policy = frame.headers.get('content-security-policy') ?? ''
    assert(policy.includes(`frame-ancestors ${played.shop}`), policy)
    assert(existsSync(join(played.volume, 'shop.db')))
  })
})
