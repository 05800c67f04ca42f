/** Kubernetes and compose.yaml: names and tags, the secrets that they need, and what they start first. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'
import { containersOf, OVERLAY, podOf, readCompose, readManifests } from './read-manifests.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** The commands in the comment at the top of the overlay. */
const commands = [...read(`${OVERLAY}/kustomization.yaml`).matchAll(/^# {3}(kubectl .+)$/gm)].map(
  ([, line = '']) => line.replace('-n coffer ', ''),
)

describe('the commands that apply deploy/kubernetes', () => {
  it('create the settings and every secret that a manifest needs', () => {
    const settings = readManifests().flatMap((manifest) =>
      containersOf(manifest).flatMap(({ envFrom = [] }) =>
        envFrom.map(({ configMapRef }) => configMapRef.name),
      ),
    )
    assert.deepEqual(new Set(settings), new Set(['coffer']))
    assert(commands.some((line) => line.startsWith('kubectl create configmap coffer ')))
    const names = new Set(
      readManifests().flatMap((manifest) => [
        ...(podOf(manifest)?.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
        ...(manifest.spec.tls ?? []).map(({ secretName }) => secretName),
      ]),
    )
    const created = commands.map((line) => /create secret \w+ ([\w-]+)/.exec(line)?.[1])
    assert.deepEqual(names, new Set(created.filter((name) => name !== undefined)))
    assert(names.has('coffer-owner') && names.size === 4)
  })

  it('wait until the database is migrated before they start the service', () => {
    const [migrate, wait, serve, remove] = commands.slice(-4)
    const label = 'app.kubernetes.io/component'
    assert.equal(migrate, `kubectl apply -k ${OVERLAY} -l ${label}=migrate`)
    assert.match(wait ?? '', /^kubectl wait --for=condition=complete .* job\/coffer-migrate$/)
    assert.equal(serve, `kubectl apply -k ${OVERLAY}`)
    assert.match(remove ?? '', /^kubectl delete job coffer-migrate /)
    const first = readManifests().filter(({ metadata }) => metadata.labels?.[label] === 'migrate')
    assert.deepEqual(
      first.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ['Job coffer-migrate'],
    )
  })
})

describe('compose.yaml', () => {
  const services = readCompose()

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
})
