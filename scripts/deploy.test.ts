/** The deployment files: what they reference exists, and they match the schemas of the tools that read them. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { readEvents } from '@coffer/contract/events'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { VARIABLES } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'
import { skipWithout } from './find-program.ts'
import type { ComposeService } from './play-compose.ts'
import {
  buildManifests,
  containersOf,
  hasKubectl,
  listManifests,
  type Manifest,
} from './read-manifests.ts'
import { readImage } from './unpack-image.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

const manifests = hasKubectl ? buildManifests() : listManifests()
const containers = manifests.flatMap(containersOf)

/** How long a proxy waits for the response to a request for events. */
const WAITS = {
  kubernetes: manifests.find(({ metadata }) => metadata.name === 'coffer-events')?.metadata
    .annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout'],
  nginx: /location = \/api\/server\/events \{[^}]+proxy_read_timeout (\d+)s;/.exec(
    read('deploy/nginx.conf'),
  )?.[1],
  haproxy: /set-timeout server (\d+)s if \{ path \/api\/server\/events \}/.exec(
    read('deploy/haproxy.cfg'),
  )?.[1],
}

describe('deploy/kubernetes', () => {
  it('has all manifests that a deployment needs', () => {
    const kinds = [
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'NetworkPolicy',
      'Ingress',
      'Job',
    ]
    assert.deepEqual(new Set(manifests.map(({ kind }) => kind)), new Set(kinds))
  })

  it(
    'is built by kubectl from the files that it lists',
    { skip: skipWithout('kubectl', 'kubernetes-client', 'nightly') },
    () => {
      const name = (manifest: Manifest) =>
        [manifest.kind, ...containersOf(manifest).map(({ image }) => image)].join(' ')
      assert.deepEqual(new Set(buildManifests().map(name)), new Set(listManifests().map(name)))
    },
  )

  it('matches the schemas of Kubernetes', async () => {
    for (const manifest of manifests) {
      const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
        string,
        new (data: Manifest) => { validate(): void }
      >
      const Model = models[manifest.kind] ?? assert.fail(manifest.kind)
      new Model(manifest).validate()
    }
  })

  it('has no field that Kubernetes does not know', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-manifests-'))
    symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
    const lines = manifests.map(
      (manifest, index) =>
        `import type { I${manifest.kind} as Kind${index} } from 'kubernetes-models/${manifest.apiVersion}'
export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)}\n`,
    )
    writeFileSync(join(folder, 'manifests.mts'), lines.join(''))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, 'manifests.mts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    assert.equal(stdout, '')
  })

  it('runs this version, with existing variables', () => {
    assert(containers.length === 2)
    for (const { image, env = [] } of containers) {
      assert.equal(image, `coffer:${version}`)
      for (const { name } of env) assert(VARIABLES.has(name), `${name} is not read by anybody`)
    }
  })
})

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService & { ports?: string[]; user?: string }>
  }
  const shop = read('example/shop.ts')

  it('sets only existing variables', () => {
    for (const [name, { environment = {} }] of Object.entries(services)) {
      for (const variable of Object.keys(environment)) {
        const isKnown =
          {
            postgres: variable.startsWith('POSTGRES_'),
            shop: new RegExp(`\\b${variable}\\b`).test(shop),
          }[name] ?? VARIABLES.has(variable)
        assert(isKnown, `${name} does not read ${variable}`)
      }
    }
    for (const { name, text } of readImage('service')) {
      const names = name === 'ENV' ? text.split(' ').map((pair) => pair.replace(/=.*/, '')) : []
      for (const variable of names) {
        assert(VARIABLES.has(variable) || variable === 'NODE_COMPILE_CACHE', variable)
      }
    }
  })

  it('publishes ports on this machine only', () => {
    for (const { ports = [] } of Object.values(services)) {
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
    }
  })

  it('depends only on services that exist', () => {
    const names = ['postgres', 'migrate', 'service', 'sandbox', 'register', 'shop']
    assert.deepEqual(new Set(Object.keys(services)), new Set(names))
    for (const { depends_on: others = {}, network_mode: mode } of Object.values(services)) {
      const wanted = [...Object.keys(others), ...(mode ? [mode.split(':')[1] ?? ''] : [])]
      for (const name of wanted) assert(name in services, name)
    }
  })

  it(
    'is accepted by docker-compose',
    { skip: skipWithout('docker-compose', 'docker-compose', 'nightly') },
    () => {
      execFileSync('docker-compose', ['-f', 'compose.yaml', 'config', '-q'], {
        cwd: ROOT,
        stdio: 'pipe',
      })
    },
  )
})

describe('balancers, probes and proxies', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('request only routes that return 200', async () => {
    const probes = containers.flatMap((container) =>
      [container.startupProbe, container.livenessProbe, container.readinessProbe].flatMap(
        (probe) => {
          if (probe) assert(container.ports?.some(({ name }) => name === probe.httpGet.port))
          return probe ? [probe.httpGet.path] : []
        },
      ),
    )
    const others = [
      ...manifests.flatMap(
        ({ spec }) => spec.template?.metadata?.annotations?.['prometheus.io/path'] ?? [],
      ),
      /httpchk GET (\S+)/.exec(read('deploy/haproxy.cfg'))?.[1],
      /\$\{process\.env\.PORT\}(\/\w+)/.exec(read('Dockerfile'))?.[1],
    ]
    assert.equal(probes.length, 3)
    for (const url of [...probes, ...others]) {
      assert.equal((await harness.inject({ method: 'GET', url: url ?? '' })).statusCode, 200, url)
    }
  })

  it('forward all public routes, and no others', async () => {
    const ingress = manifests.flatMap(({ spec }) => spec.rules?.[0]?.http.paths ?? [])
    const lists = {
      kubernetes: ingress.flatMap(({ path }) => /\w+/.exec(path)?.[0] ?? []),
      nginx: /\^\/\(([\w|]+)\)/.exec(read('deploy/nginx.conf'))?.[1]?.split('|'),
      haproxy: /path_beg (.+)/.exec(read('deploy/haproxy.cfg'))?.[1]?.match(/\w+/g),
    }
    const routes = harness.app.printRoutes({ commonPrefix: false })
    const served = [...routes.matchAll(/^\S+ \/(\w+)/gm)].map(([, name]) => name ?? '')
    const ours = ['metrics', 'livez', 'readyz']
    const wanted = new Set(served.filter((name) => !ours.includes(name)))
    assert(ingress.some(({ path }) => path === '/'))
    for (const [name, passed] of Object.entries(lists)) {
      assert.deepEqual(new Set(passed), wanted, name)
    }
  })

  for (const [name, seconds] of Object.entries(WAITS)) {
    it(`${name} lets a request wait for events`, () => {
      assert(Number(seconds) * 1_000 > (readEvents.deadlineMs ?? Infinity), seconds)
    })
  }

  it('forward to each separate host what it serves, and every name is one of the proxy', () => {
    const [first, events] = manifests.filter(({ kind }) => kind === 'Ingress')
    const rules = first?.spec.rules ?? []
    assert.deepEqual(
      events?.spec.rules?.map(({ host, http }) => [host, ...http.paths.map(({ path }) => path)]),
      [[rules[0]?.host, readEvents.path]],
    )
    const [main, ...separate] = rules.map(({ host, http }) => [
      host,
      http.paths.map(({ path }) => path).join(' '),
    ])
    assert.deepEqual(separate, [
      ['account.wallet.example', '/api /account /assets /favicon.svg'],
      ['admin.wallet.example', '/api /admin /assets /favicon.svg'],
      ['docs.wallet.example', '/docs /llms.txt'],
    ])
    const names = /server_name ([^;]+);/.exec(read('deploy/nginx.conf'))?.[1]?.split(' ')
    assert.deepEqual(names, [main?.[0], ...separate.map(([host]) => host)])
  })
})
