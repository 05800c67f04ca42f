/** /admin, the operators' area: one page for all its addresses, framed by nobody, with nothing about anybody in it. */
import type { FastifyInstance } from 'fastify'
import type { AdminPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { renderPage } from './render-page.ts'
import { findEntry, hasEntry } from './web-assets.ts'

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; '),
}
const NOT_CONFIGURED = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Not configured</title></head>
<body><p>The operators’ area is not configured. Set ADMIN_KEYS and create an operator with coffer operator create.</p></body>
</html>
`

export function mountAdminPage(app: FastifyInstance, { config }: Context) {
  const data: AdminPageData = {
    isSandbox: config.stripe?.isTest ?? false,
    currency: config.currency.code,
  }
  const isConfigured = config.adminKeys !== undefined
  // A build may be older than this page; then the rest of the service works without it.
  if (isConfigured && !hasEntry('admin/admin.tsx')) return
  const page = isConfigured
    ? renderPage('Operators', findEntry('admin/admin.tsx'), data)
    : NOT_CONFIGURED
  for (const url of ['/admin', '/admin/*']) {
    app.get(url, (_request, reply) =>
      reply
        .code(isConfigured ? 200 : 503)
        .headers(HEADERS)
        .send(page),
    )
  }
}
