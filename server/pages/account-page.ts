/** /account, the person's own page: in a window of its own, framed by nobody. There is nothing about anybody in it. */
import type { FastifyInstance } from 'fastify'
import type { AccountPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { renderPage } from './render-page.ts'
import { findEntry } from './web-assets.ts'

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

export function mountAccountPage(app: FastifyInstance, context: Context) {
  const entry = findEntry('account/account.tsx')
  app.get('/account', (_request, reply) => {
    const data: AccountPageData = {
      hasMailer: context.mailer !== undefined,
      isSandbox: false,
      passwordMin: context.config.passwordMin,
    }
    return reply.headers(HEADERS).send(renderPage('Your wallet', entry, data))
  })
}
