/**
 * Builds the image of the Dockerfile for real, looks into it, and runs serve, migrate and doctor in it. A folder in
 * IMAGE_FOLDER keeps the sources and layers for the next run.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrlFor } from '../server/test/database.ts'
import { connectAdmin, TEST_PEPPER } from '../server/test/harness.ts'
import {
  createImageTools,
  startContainer,
  type ImageConfig,
  type ImageTools,
} from './build-image.ts'
import { copyCheckout, ROOT } from './copy-checkout.ts'
import { findFreePorts } from './find-free-ports.ts'

const IMAGE = 'localhost/coffer'
const START_MS = 300_000

const missing = ['buildah', 'debootstrap', 'runc'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)
const isRoot = process.getuid?.() === 0
const skip =
  (missing.length > 0 && `${missing.join(', ')} is not installed`) ||
  (!isRoot && 'buildah needs root for a chroot')

describe('the image for production', { skip }, () => {
  const kept = process.env['IMAGE_FOLDER']
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'coffer-build-'))
  const context = join(folder, 'context')
  const database = `coffer_image_${randomBytes(6).toString('hex')}`
  let tools: ImageTools
  let config: ImageConfig
  let rootfs: string

  before(async () => {
    const admin = await connectAdmin(databaseUrlFor('postgres'))
    await admin.query(`create database ${database}`)
    await admin.end()
    if (!existsSync(context)) copyCheckout(context)
    // .dockerignore keeps them out of the image.
    for (const secret of ['.env.local', 'checkpoint.pem', 'shop.db']) {
      writeFileSync(join(context, 'server', secret), '')
    }
    tools = createImageTools(folder)
    tools.build({ name: IMAGE, target: 'service', context })
    config = tools.readConfig(IMAGE)
    rootfs = tools.mount(IMAGE)
  })
  after(async () => {
    if (kept === undefined) tools.remove()
    const admin = await connectAdmin(databaseUrlFor('postgres'))
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })

  function start(args: string[], env: Record<string, string> = {}, program = config.Entrypoint) {
    const id = `coffer-${randomBytes(6).toString('hex')}`
    const child = startContainer({
      id,
      bundle: join(folder, id),
      rootfs,
      config,
      args: [...program, ...args],
      env: { DATABASE_URL: databaseUrlFor(database), SECRET_PEPPERS: TEST_PEPPER, ...env },
    })
    assert(child.stdout && child.stderr)
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const ended = once(child, 'exit').then(([code]) => code as number | null)
    return { child, ended, output: output.then((streams) => streams.join('')) }
  }

  it('has the size that docs/containers.md states, within a tenth', (test) => {
    const { own, whole } = tools.measure(IMAGE)
    test.diagnostic(`${own} bytes without the base, ${whole} with it`)
    const stated = /(\d+) MB without the base/.exec(
      readFileSync(`${ROOT}docs/containers.md`, 'utf8'),
    )?.[1]
    assert(Math.abs(own / 1e6 / Number(stated) - 1) < 0.1, `${own} bytes, documented ${stated} MB`)
  })

  it('runs as the user node, which can write nothing, and checks its health without a shell', () => {
    assert.equal(config.User, 'node')
    assert.equal(config.WorkingDir, '/coffer')
    assert.equal(config.StopSignal, 'SIGTERM')
    assert.deepEqual(config.Cmd, ['serve'])
    assert.deepEqual(config.Healthcheck.Test.slice(0, 3), ['CMD', 'node', '-e'])
    const found = spawnSync(
      'find',
      ['coffer', '(', '-user', '1000', '-o', '-perm', '-002', ')', '-not', '-type', 'l'],
      { cwd: rootfs, encoding: 'utf8' },
    )
    assert.equal(found.stdout, '')
  })

  it('contains the service, its pages and its packages, and nothing else', () => {
    const cwd = join(rootfs, 'coffer')
    const tops = globSync('*', { cwd }).toSorted()
    assert.deepEqual(tops, ['contract', 'node_modules', 'package.json', 'server', 'site', 'web'])
    assert.deepEqual(globSync('{site,web}/*', { cwd }).toSorted(), ['site/dist', 'web/dist'])
    // Unlike globs, this also finds names that start with a dot.
    const files = ['contract', 'server', 'web', 'site'].flatMap((name) =>
      readdirSync(join(cwd, name), { recursive: true, encoding: 'utf8' }),
    )
    assert(files.includes('coffer.ts'))
    assert.deepEqual(
      files.filter((file) => /\.test\.ts$|(^|\/)test(\/|$)|\.(pem|db)$|\.env/.test(file)),
      [],
    )
    const packages = globSync('node_modules/{*,@*/*}', { cwd })
    assert.deepEqual(
      packages.filter((name) =>
        /typescript|playwright|vite|prettier|smtp-server|node-linux|@coffer\/(sdk|embed|sandbox)/.test(
          name,
        ),
      ),
      [],
    )
  })

  it('installs no package again when only sources change', () => {
    appendFileSync(join(context, 'server/coffer.ts'), '// changed\n')
    const output = tools.build({ name: 'localhost/cached', target: 'production', context })
    const [, install = ''] = output.split('RUN npm ci')
    assert.match(install, /Using cache/)
  })

  it('migrates an empty database, and starts only after that', async () => {
    const early = start(['serve'])
    assert.equal(await early.ended, 1)
    assert.match(await early.output, /migrate/)
    const migrated = start(['migrate'])
    assert.equal(await migrated.ended, 0, await migrated.output)
    assert.match(await migrated.output, /^Applied:/)
  })

  it('serves, is healthy, and stops within its time', async (test) => {
    const [port = 0] = await findFreePorts(1)
    const began = performance.now()
    const service = start(['serve'], { PORT: String(port) })
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      assert(performance.now() - began < START_MS, 'the service does not become ready')
      assert.equal(service.child.exitCode, null, 'the service ended')
      await sleep(50)
    }
    test.diagnostic(`ready after ${Math.round(performance.now() - began)} ms`)
    for (const path of ['/docs/integration', '/account', '/docs/api/']) {
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path)
    }
    const [, ...check] = config.Healthcheck.Test
    assert.equal(await start([], { PORT: String(port) }, check).ended, 0)
    assert.equal(await start([], { PORT: '1' }, check).ended, 1)
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0, await service.output)
  })

  it('runs doctor', async () => {
    const doctor = start(['doctor'])
    // It exits with 1, because the PostgreSQL of the tests runs without fsync.
    assert.equal(await doctor.ended, 1)
    assert.match(await doctor.output, /✓ The schema is up to date/)
  })
})
