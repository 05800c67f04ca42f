/** The files of deploy/kubernetes and compose.yaml. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from './copy-checkout.ts'
import { findProgram } from './find-program.ts'

export const OVERLAY = 'deploy/kubernetes/overlays/production'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec: {
    template?: Template
    jobTemplate?: { spec: { template: Template } }
    rules?: { host: string; http: { paths: { path: string }[] } }[]
    tls?: { secretName: string }[]
  }
}

interface Template {
  metadata?: { annotations?: Record<string, string> }
  spec: { containers: Container[]; volumes?: { secret?: { secretName: string } }[] }
}

interface Container {
  image: string
  args: string[]
  env?: { name: string }[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}

interface Probe {
  httpGet: { path: string; port: string }
}

export interface ComposeService {
  image?: string
  build?: { target: string }
  environment?: Record<string, string>
  network_mode?: string
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
}

/** As kubectl builds them. Without kubectl, as the files have them: without the overlay's image, patches and namespace. */
export function readManifests(): Manifest[] {
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  if (findProgram('kubectl'))
    return readDocuments(execFileSync('kubectl', ['kustomize', OVERLAY], options))
  return globSync('deploy/kubernetes/**/*.yaml', { cwd: ROOT })
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => readDocuments(readFileSync(join(ROOT, file), 'utf8')))
}

/** What the pods of a manifest are made from. */
export const podOf = ({ spec }: Manifest) =>
  (spec.template ?? spec.jobTemplate?.spec.template)?.spec

export const containersOf = (manifest: Manifest) => podOf(manifest)?.containers ?? []

function readDocuments(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Manifest
  })
}

export function readCompose(): Record<string, ComposeService> {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services
}
