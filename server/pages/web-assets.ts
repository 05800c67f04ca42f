/** The build output of web/: files with a hash in their name, which never change, served precompressed. */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))

interface ManifestEntry {
  file: string
  css?: string[]
  imports?: string[]
}

export interface WebEntry {
  script: string
  /** What the script imports; the browser loads it in parallel with the script. */
  preloads: string[]
  styles: string[]
}

export async function mountAssets(app: FastifyInstance) {
  await app.register(fastifyStatic, {
    root: `${DIST}assets`,
    prefix: '/assets/',
    preCompressed: true,
    // One route per existing file: no URL can reach anything else.
    wildcard: false,
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) =>
      void reply.header('Cache-Control', 'public, max-age=31536000, immutable'),
  })
}

/** The files of an entry and of what it loads soon. Imported styles come first, so that later ones override them. */
export function findEntry(name: string, ...soon: string[]): WebEntry {
  const manifest = readManifest()
  const seen = new Set<string>()
  function collect(key: string): ManifestEntry[] {
    const entry = manifest[key]
    if (entry === undefined) throw new Error(`Page ${key} not found. Run npm run build again.`)
    if (seen.has(key)) return []
    seen.add(key)
    return [...(entry.imports ?? []).flatMap(collect), entry]
  }
  const entries = [name, ...soon].flatMap(collect)
  const script = `/${manifest[name]?.file}`
  const files = entries.map((entry) => `/${entry.file}`)
  return {
    script,
    preloads: files.filter((file) => file !== script),
    styles: [...new Set(entries.flatMap((entry) => entry.css ?? []))].map((file) => `/${file}`),
  }
}

function readManifest(): Record<string, ManifestEntry | undefined> {
  const path = `${DIST}.vite/manifest.json`
  if (!existsSync(path)) throw new Error('The pages are not built. Run npm run build first.')
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, ManifestEntry | undefined>
}

/** The icon of the service's pages. Browsers request favicon.ico for responses that are not HTML. */
const HEADERS = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }

export function mountFavicon(app: FastifyInstance) {
  const icon = readFileSync(new URL('../../site/dist/mark.svg', import.meta.url))
  for (const url of ['/favicon.svg', '/favicon.ico']) {
    app.get(url, (_request, reply) => reply.headers(HEADERS).send(icon))
  }
}
