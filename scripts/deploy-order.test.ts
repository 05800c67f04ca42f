/** Kubernetes and compose.yaml: names and tags, the secrets that they need, and what they start first. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { ROOT } from './copy-checkout.ts'
import type { ComposeService } from './play-compose.ts'
import { readSetting } from './unpack-image.ts'

interface Service extends ComposeService {
  image?: string
  healthcheck?: { test: string[]; interval: string; timeout: string; start_period: string }
}

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** The commands in the comment at the top of a manifest. */
const readCommands = (file: string) =>
  [...read(`deploy/kubernetes/${file}`).matchAll(/^# {3}(kubectl .+)$/gm)].map(([, line = '']) =>
    line.replace('-n coffer ', ''),
  )

describe('the commands that apply deploy/kubernetes', () => {
  it('create every secret that a manifest needs', () => {
    const text = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).map(read).join('')
    const needed = [...text.matchAll(/secretRef: \{ name: ([\w-]+) \}|secretName: ([\w-]+)/g)]
    const names = new Set(needed.map(([, reference, tls]) => reference ?? tls))
    const created = readCommands('coffer.yaml').map(
      (line) => /create secret \w+ ([\w-]+)/.exec(line)?.[1],
    )
    assert.deepEqual(names, new Set(created.filter((name) => name !== undefined)))
    assert(names.has('coffer-owner') && names.size === 3)
  })

  it('wait until the database is migrated before they start the service', () => {
    for (const file of ['coffer.yaml', 'migrate.yaml']) {
      const [migrate, wait, serve] = readCommands(file).slice(-3)
      assert.equal(migrate, 'kubectl apply -f deploy/kubernetes/migrate.yaml')
      assert.match(wait ?? '', /^kubectl wait --for=condition=complete .* job\/coffer-migrate$/)
      assert.equal(serve, 'kubectl apply -f deploy/kubernetes/coffer.yaml')
    }
  })
})

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }

  it('names its image like Kubernetes, with the tag of this version', () => {
    const built = Object.values(services).filter(({ build }) => build)
    assert(built.length > 3)
    for (const { build, image } of built) assert.equal(image, `coffer-${build?.target}:${version}`)
  })

  it('starts the service only after the migration, and the shop only if the service is healthy', () => {
    const waitsFor = (name: string) =>
      Object.entries(services[name]?.depends_on ?? {}).map(
        ([other, { condition }]) => `${other} ${condition}`,
      )
    for (const name of ['service', 'register']) {
      assert.deepEqual(waitsFor(name), ['migrate service_completed_successfully'])
    }
    assert(waitsFor('shop').includes('service service_healthy'))
  })

  it('checks the health of the service like the Dockerfile', () => {
    const { healthcheck } = services['service'] ?? {}
    const own = readSetting('service', 'HEALTHCHECK') ?? ''
    const [, options, check = ''] = /^(.+) CMD (\[.+\])$/.exec(own) ?? []
    const command = (JSON.parse(check) as string[]).map((word) =>
      word.replaceAll('`', "'").replace('${process.env.PORT}', '8080').replaceAll(' ', ''),
    )
    const words = healthcheck?.test.map((word) => word.replaceAll(' ', ''))
    assert.deepEqual(words, ['CMD', ...command])
    const { interval, timeout, start_period: start } = healthcheck ?? {}
    assert.equal(options, `--interval=${interval} --timeout=${timeout} --start-period=${start}`)
  })
})
