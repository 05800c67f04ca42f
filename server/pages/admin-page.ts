/** /admin, the admin area: one page for all its URLs, not framed, and the HTML contains no personal data. */
import type { FastifyInstance } from 'fastify'
import type { AdminPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { areaOfOperators, findPasskeyHost } from '../http/find-relying-party.ts'
import { FIRST_PARTY_HEADERS } from './first-party-headers.ts'
import { renderPage } from './render-page.ts'
import { findEntry } from './web-assets.ts'

const NOT_CONFIGURED = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Not configured</title></head>
<body><p>The admin area is not configured. Set ADMIN_KEYS and create an operator with coffer operator create.</p></body>
</html>
`

export function mountAdminPage(app: FastifyInstance, { config }: Context) {
  const data: AdminPageData = {
    publicOrigin: config.publicOrigin ?? null,
    isSandbox: config.stripe?.isTest ?? false,
    currency: config.currency.code,
    passwordMin: config.passwordMin,
    passkeyHost: findPasskeyHost(areaOfOperators(config)) ?? null,
  }
  const isConfigured = config.adminKeys !== undefined
  const page = isConfigured
    ? renderPage('Operators', findEntry('admin/admin.tsx'), data)
    : NOT_CONFIGURED
  for (const url of ['/admin', '/admin/*']) {
    app.get(url, (_request, reply) =>
      reply
        .code(isConfigured ? 200 : 503)
        .headers(FIRST_PARTY_HEADERS)
        .send(page),
    )
  }
}
