/** Builds the API reference at /docs/api/: the OpenAPI document, and a page that shows it. */
import { buildOpenApi } from '@coffer/contract/openapi'
import apiReference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The library is a plugin that answers requests. Its responses never change, so they become files. */
export async function writeApiReference(dist: string) {
  const app = fastify()
  await app.register(apiReference, {
    routePrefix: '/api',
    configuration: {
      url: '/docs/openapi.json',
      pageTitle: 'Coffer API reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // The server API refuses browsers, so a button that sends requests would always fail.
      hideTestRequestButton: true,
      orderSchemaPropertiesBy: 'preserve',
      orderRequiredPropertiesFirst: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  const read = async (url: string) => (await app.inject({ method: 'GET', url })).body
  const page = await read('/api/')
  const script = /<script src="([^"]+)">/.exec(page)?.[1]
  if (script === undefined) throw new Error('The API reference has no script.')
  write(`${dist}api/index.html`, embed(page, JSON.stringify(buildOpenApi())))
  write(`${dist}api/${script}`, await read(`/api/${script}`))
  write(`${dist}openapi.json`, JSON.stringify(buildOpenApi()))
  await app.close()
}

/** The library reads settings from the storage of the browser, which refuses it to a page without an origin. */
const STORAGE = `<script>
  for (const name of ['localStorage', 'sessionStorage']) {
    const entries = new Map()
    const value = {
      getItem: (key) => entries.get(key) ?? null,
      setItem: (key, text) => void entries.set(key, String(text)),
      removeItem: (key) => void entries.delete(key),
    }
    Object.defineProperty(window, name, { value })
  }
</script>`

const BACK =
  '<p style="margin:0;padding:12px 16px;font:600 14px system-ui,sans-serif;border-bottom:1px solid #8885"><a href="/docs" style="color:inherit">← Coffer documentation</a></p>'

/** The page has no origin, so it cannot fetch the document. */
function embed(page: string, document: string): string {
  const url = /"url": "\/docs\/openapi\.json"/
  if (!url.test(page))
    throw new Error('The API reference does not contain the URL of the document.')
  const content = document.replaceAll('<', '\\u003c')
  return page
    .replace(url, () => `"content": ${content}`)
    .replace('</head>', '<link rel="icon" href="/docs/mark.svg" type="image/svg+xml"></head>')
    .replace('<body>', () => `<body>${BACK}`)
    .replace('<script src=', () => `${STORAGE}\n    <script src=`)
}

function write(file: string, content: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
