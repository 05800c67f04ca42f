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
  write(`${dist}api/index.html`, page)
  write(`${dist}api/${script}`, await read(`/api/${script}`))
  write(`${dist}openapi.json`, JSON.stringify(buildOpenApi()))
  await app.close()
}

function write(file: string, content: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
