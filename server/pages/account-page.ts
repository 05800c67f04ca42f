/** /account, the person's own pages: not framed, and the HTML contains no personal data. */
import type { FastifyInstance } from 'fastify'
import type { AccountPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { areaOfPeople, findPasskeyHost } from '../http/find-relying-party.ts'
import { FIRST_PARTY_HEADERS } from './first-party-headers.ts'
import { paymentData } from './payment-data.ts'
import { renderPage } from './render-page.ts'
import { findEntry } from './web-assets.ts'
import { apiSource, topupPolicy } from './widget-policies.ts'

export function mountAccountPage(app: FastifyInstance, context: Context) {
  const entry = findEntry('account/account.tsx')
  app.get('/account', (_request, reply) => {
    const data: AccountPageData = {
      serviceName: context.config.serviceName,
      supportUrl: context.config.supportUrl ?? null,
      hasMailer: context.mailer !== undefined,
      hasTopup: context.processor !== undefined,
      isSandbox: context.config.stripe?.isTest ?? false,
      passwordMin: context.config.passwordMin,
      passkeyHost: findPasskeyHost(areaOfPeople(context.config)) ?? null,
    }
    return reply.headers(FIRST_PARTY_HEADERS).send(renderPage('Your wallet', entry, data))
  })
  mountTopupPage(app, context)
}

/**
 * A page of its own, because it loads the card processor's script, which must not reach the rest of the account: the
 * policy allows it only the endpoints of the top-up, and with this opener policy it has no access to a window with
 * /account.
 */
function mountTopupPage(app: FastifyInstance, { config }: Context) {
  const entry = findEntry('account/topup/topup.tsx')
  app.get('/account/topup', ({ host }, reply) => {
    const api = apiSource('/api/account/topup/', config.accountOrigin, host)
    reply.headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': topupPolicy([], api, config.stripe),
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      // The processor's script requires the site in the Referer.
      'Referrer-Policy': 'strict-origin',
    })
    return reply.send(renderPage('Add money', entry, paymentData(config, '')))
  })
}
