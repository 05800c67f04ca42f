/** The documentation at /docs, built from docs/ by `npm run build`: about five megabytes, kept in memory. */
import type { FastifyInstance } from 'fastify'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'

const DIST = fileURLToPath(new URL('../../site/dist/', import.meta.url))
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
/**
 * A page without an origin: even on a single host, a script in it has no access to the other pages, their APIs and
 * cookies. Forms are allowed for the search, which sends nothing.
 */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** coffer-docs loads the search index. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types coffer-docs; ${SANDBOX}`

/** The API reference has scripts and styles of its own in the page, which do not support Trusted Types. */
const API_REFERENCE_POLICY = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ${SANDBOX}`

/** A sandboxed page has an opaque origin, so its own files are cross-origin for it. They are public. */
const LOADED_BY_PAGES = new Set(['.css', '.js', '.svg'])

/** The address of the API in the OpenAPI document: that of the page, unless the pages have another host. */
const API_ADDRESS = '"servers":[{"url":"/"'

/** The page that is shown for an unknown address under /docs. */
const MISSING = '404.html'

export function readMissingDoc(): { headers: Record<string, string>; body: string } {
  return { headers: headersOf(MISSING), body: readFileSync(`${DIST}${MISSING}`, 'utf8') }
}

/** One route per existing file: no URL can reach anything else. */
export function mountDocs(app: FastifyInstance, { config }: { config: Config }) {
  if (!existsSync(`${DIST}index.html`)) {
    throw new Error('The documentation is not built. Run npm run build first.')
  }
  for (const file of globSync('**/*.*', { cwd: DIST, exclude: [MISSING] })) {
    const body = readBody(file, config)
    const headers = headersOf(file)
    for (const url of addressesOf(file)) {
      app.get(url, (_request, reply) => reply.headers(headers).send(body))
    }
  }
  app.get('/docs/api', (_request, reply) => reply.redirect('/docs/api/', 301))
}

function readBody(file: string, { publicOrigin, docsOrigin }: Config): Buffer {
  const body = readFileSync(`${DIST}${file}`)
  const isOpenApi = file === 'openapi.json' || file === 'api/index.html'
  if (!isOpenApi || publicOrigin === docsOrigin) return body
  const address = `"servers":[{"url":"${publicOrigin}"`
  return Buffer.from(body.toString().replace(API_ADDRESS, () => address))
}

function headersOf(file: string): Record<string, string> {
  const extension = extname(file)
  const policy = file.startsWith('api/') ? API_REFERENCE_POLICY : POLICY
  return {
    'Content-Type': TYPES[extension] ?? 'text/plain',
    ...(extension === '.html' && { 'Content-Security-Policy': policy }),
    ...(LOADED_BY_PAGES.has(extension) && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
  }
}

function addressesOf(file: string): string[] {
  if (file === 'index.html') return ['/docs', '/docs/']
  if (file === 'api/index.html') return ['/docs/api/']
  if (file === 'llms.txt') return ['/llms.txt', '/docs/llms.txt']
  return [`/docs/${file.replace(/\.html$/, '')}`]
}
