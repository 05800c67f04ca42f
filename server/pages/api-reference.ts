import { buildOpenApi } from '@coffer/contract/openapi'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API reference at /docs/api. It loads only from this service; the content security policy enforces that. */
export async function mountApiReference(app: FastifyInstance) {
  const document = JSON.stringify(buildOpenApi())
  app.get('/docs/openapi.json', async (_request, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(document),
  )
  await app.register(apiReference, {
    routePrefix: '/docs/api',
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('Content-Security-Policy', POLICY)
        done()
      },
    },
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
}
