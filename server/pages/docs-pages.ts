/** The documentation at /docs, built from docs/ by `npm run build`: a few hundred kilobytes, kept in memory. */
import type { FastifyInstance } from 'fastify'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../../site/dist/', import.meta.url))
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** One route per existing file: no URL can reach anything else. */
export function mountDocs(app: FastifyInstance) {
  if (!existsSync(`${DIST}index.html`)) {
    throw new Error('The documentation is not built. Run npm run build first.')
  }
  for (const file of globSync('**/*.*', { cwd: DIST })) {
    const body = readFileSync(`${DIST}${file}`)
    const type = TYPES[extname(file)] ?? 'text/plain'
    const headers = { 'Content-Type': type, 'Content-Security-Policy': POLICY }
    for (const url of addressesOf(file)) {
      app.get(url, (_request, reply) => reply.headers(headers).send(body))
    }
  }
}

function addressesOf(file: string): string[] {
  if (file === 'index.html') return ['/docs', '/docs/']
  if (file === 'llms.txt') return ['/llms.txt', '/docs/llms.txt']
  return [`/docs/${file.replace(/\.html$/, '')}`]
}
