/** The manifests of deploy/kubernetes, as kubectl builds them, or as the files list them if it is not installed. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from './copy-checkout.ts'

export const OVERLAY = 'deploy/kubernetes/overlays/production'
export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec: {
    template?: {
      metadata?: { annotations?: Record<string, string> }
      spec: { containers: Container[] }
    }
    rules?: { host: string; http: { paths: { path: string }[] } }[]
    tls?: { secretName: string }[]
  }
}

interface Container {
  image: string
  args: string[]
  env?: { name: string }[]
  envFrom?: { secretRef: { name: string } }[]
  ports?: { name: string }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}

interface Probe {
  httpGet: { path: string; port: string }
}

interface Kustomization {
  resources: string[]
  images?: { name: string; newName: string; newTag: string }[]
}

export function buildManifests(): Manifest[] {
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  return readDocuments(execFileSync('kubectl', ['kustomize', OVERLAY], options))
}

/** Follows the resources and sets the images. Patches and the namespace need kubectl. */
export function listManifests(folder = OVERLAY): Manifest[] {
  const read = (file: string) => readFileSync(join(ROOT, folder, file), 'utf8')
  const { resources, images = [] } = parse(read('kustomization.yaml')) as Kustomization
  const manifests = resources.flatMap((name) =>
    name.endsWith('.yaml') ? readDocuments(read(name)) : listManifests(join(folder, name)),
  )
  for (const container of manifests.flatMap(containersOf)) {
    const image = images.find(({ name }) => name === container.image)
    if (image) container.image = `${image.newName}:${image.newTag}`
  }
  return manifests
}

export const containersOf = ({ spec }: Manifest) => spec.template?.spec.containers ?? []

function readDocuments(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Manifest
  })
}
