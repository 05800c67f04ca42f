/** The deployment files: what they reference exists, and they match the schemas of the tools that read them. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readEvents } from '@coffer/contract/server/events'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { FILE_VARIABLES, VARIABLES } from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'
import { findProgram, skipWithout } from './find-program.ts'
import {
  containersOf,
  OVERLAY,
  readCompose,
  readManifests,
  type Manifest,
} from './read-manifests.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const { scripts, version, workspaces } = JSON.parse(read('package.json')) as {
  scripts: { build: string }
  version: string
  workspaces: string[]
}

const manifests = readManifests()
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
      'CronJob',
      'PersistentVolumeClaim',
    ]
    assert.deepEqual(new Set(manifests.map(({ kind }) => kind)), new Set(kinds))
  })

  // Debian's kubectl is too old for the overlay, so CI does without it.
  const skip = findProgram('kubectl') ? false : 'kubectl is not installed (1.21 or newer).'

  it('is built by kubectl, with the image of the overlay', { skip }, () => {
    assert.deepEqual(new Set(containers.map(({ image }) => image)), new Set([`coffer:${version}`]))
  })

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
    assert(read(`${OVERLAY}/kustomization.yaml`).includes(`newTag: ${version} }`))
    assert(containers.length === 4)
    for (const { env = [] } of containers) {
      for (const { name } of env) {
        assert(
          VARIABLES.has(name) || FILE_VARIABLES.includes(name),
          `${name} is not read by anybody`,
        )
      }
    }
  })
})

describe('compose.yaml', () => {
  const services = readCompose()
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

  it('is accepted by docker-compose', { skip: skipWithout('docker-compose') }, () => {
    execFileSync('docker-compose', ['-f', 'compose.yaml', 'config', '-q'], {
      cwd: ROOT,
      stdio: 'pipe',
    })
  })
})

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  const find = (pattern: RegExp) => [...dockerfile.matchAll(pattern)].map(([, found = '']) => found)
  const stages = find(/^FROM .* AS (\w+)$/gm)

  it('builds the image for production unless another target is named', () => {
    assert.equal(stages.at(-1), 'service')
  })

  it('pins every base image by digest, as compose.yaml does', () => {
    const bases = find(/^FROM (\S+)/gm).filter((from) => !stages.includes(from))
    const others = Object.values(readCompose()).flatMap(({ build, image = '' }) =>
      build ? [] : [image],
    )
    assert(new Set(bases).size === 1 && others.length > 0)
    for (const image of [...bases, ...others]) {
      assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
    }
  })

  it('installs the packages of every workspace from its own list', () => {
    assert.deepEqual(find(/^COPY (\w+)\/package\.json \.\/\1\/$/gm), workspaces)
  })

  it('copies only files that exist or that the build creates', () => {
    const paths = find(/^COPY --from=build \/coffer\/(\S+)/gm)
    assert(paths.length > 5)
    for (const path of paths) {
      const workspace = /^(\w+)\/dist$/.exec(path)?.[1]
      if (workspace) assert.match(scripts.build, new RegExp(`--workspace ${workspace}\\b`))
      else assert(existsSync(`${ROOT}${path}`), path)
    }
  })

  it('sets only existing variables, and no secret', () => {
    for (const pair of find(/^ENV (.+)$/gm).flatMap((line) => line.split(' '))) {
      const name = pair.replace(/=.*/, '')
      assert(VARIABLES.has(name) || name === 'NODE_COMPILE_CACHE', name)
    }
    assert.doesNotMatch(dockerfile, /SECRET|PEPPER|KEY|PASSWORD|DATABASE_URL/)
  })
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
