/** /account, the person's own page: not framed, and the HTML contains no personal data. */
import type { FastifyInstance } from 'fastify'
import type { AccountPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { FIRST_PARTY_HEADERS } from './first-party-headers.ts'
import { renderPage } from './render-page.ts'
import { findEntry } from './web-assets.ts'

export function mountAccountPage(app: FastifyInstance, context: Context) {
  const entry = findEntry('account/account.tsx')
  app.get('/account', (_request, reply) => {
    const data: AccountPageData = {
      hasMailer: context.mailer !== undefined,
      isSandbox: context.config.stripe?.isTest ?? false,
      passwordMin: context.config.passwordMin,
    }
    return reply.headers(FIRST_PARTY_HEADERS).send(renderPage('Your wallet', entry, data))
  })
}
