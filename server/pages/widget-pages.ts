/** /widget/wallet and /widget/topup, framed or opened by client apps. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TopupPageData, WidgetPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { findFrameParty } from '../http/find-relying-party.ts'
import { findFrame, type Frame, type FrameRequest } from './find-frame.ts'
import { paymentData } from './payment-data.ts'
import { readDisplayOptions, writeQuery, type DisplayOptions } from './read-display-options.ts'
import { renderHelp } from './render-help.ts'
import { PLAIN_POLICY } from './render-plain-page.ts'
import { renderPage } from './render-page.ts'
import { findEntry, mountAssets } from './web-assets.ts'
import { apiSource, topupPolicy, walletPolicy } from './widget-policies.ts'

type KnownFrame = Extract<Frame, { isKnown: true }>

export async function mountWidgetPages(app: FastifyInstance, context: Context) {
  const wallet = findEntry('widget/wallet/wallet.tsx', 'widget/wallet/page.tsx')
  const signIn = findEntry('widget/wallet/wallet.tsx', 'widget/sign-in/sign-in.tsx')
  const topup = findEntry('widget/topup/topup.tsx')
  await mountAssets(app)
  const apiOf = ({ host }: FastifyRequest) =>
    apiSource('/api/widget/', context.config.publicOrigin, host)

  app.get('/widget/wallet', (request, reply) =>
    inFrame(context, request, reply, (frame, options, { session }) => {
      reply.header('Content-Security-Policy', walletPolicy(frame.parentOrigins, apiOf(request)))
      // Without a session the sign-in is shown, unless the page was only reloaded.
      return renderPage(
        'Wallet',
        session === undefined ? signIn : wallet,
        walletData(context, frame, options, request.host),
        options.theme,
      )
    }),
  )
  app.get('/widget/topup', (request, reply) =>
    inFrame(context, request, reply, (frame, options) => {
      const { stripe } = context.config
      reply.headers({
        'Content-Security-Policy': topupPolicy(frame.parentOrigins, apiOf(request), stripe),
        // The processor's script requires the site in the Referer; the opener must have access to the window.
        'Referrer-Policy': 'strict-origin',
        'Cross-Origin-Opener-Policy': 'unsafe-none',
      })
      const data = topupData(context, frame, options, request.host)
      return renderPage('Add money', topup, data, options.theme)
    }),
  )
}

async function inFrame(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (frame: KnownFrame, options: DisplayOptions, frameRequest: FrameRequest) => string,
): Promise<string> {
  const frameRequest = readFrameRequest(request, context.config.publicOrigin)
  const frame = await findFrame(context, frameRequest)
  reply.header('Content-Type', 'text/html; charset=utf-8')
  const query = request.query as Record<string, unknown>
  if (frame.isKnown) return render(frame, readDisplayOptions(query), frameRequest)
  const names = Object.keys(query).slice(0, 10)
  reply.header('Content-Security-Policy', PLAIN_POLICY)
  return renderHelp(frame.reason, frameRequest.seenOrigin, names)
}

function walletData(
  { config, mailer }: Context,
  frame: KnownFrame,
  options: DisplayOptions,
  host: string,
): WidgetPageData {
  const { clientApp, listeners, isFromApp } = frame
  return {
    page: 'wallet',
    clientId: clientApp.clientId,
    query: writeQuery(clientApp.clientId, options),
    locale: options.locale,
    appName: clientApp.name,
    accentColor: clientApp.accentColor,
    listeners: [...listeners],
    isFromApp,
    hasMailer: mailer !== undefined,
    isSandbox: config.stripe?.isTest ?? false,
    passwordMin: config.passwordMin,
    hasPasskeys: findFrameParty(config, host, []) !== undefined,
    serviceName: config.serviceName,
    supportUrl: config.supportUrl ?? null,
  }
}

function topupData(
  context: Context,
  frame: KnownFrame,
  options: DisplayOptions,
  host: string,
): TopupPageData {
  return {
    ...walletData(context, frame, options, host),
    ...paymentData(context.config, frame.clientApp.name),
    page: 'topup',
  }
}

function readFrameRequest(
  { query, headers, host }: FastifyRequest,
  publicOrigin: string | undefined,
): FrameRequest {
  const { session, clientId } = query as Record<string, unknown>
  const referer = originOf(headers.referer)
  const isOurs = referer && (referer === publicOrigin || new URL(referer).host === host)
  return {
    session: typeof session === 'string' ? session : undefined,
    clientId: typeof clientId === 'string' ? clientId : undefined,
    seenOrigin: isOurs ? undefined : referer,
    isTopLevel: headers['sec-fetch-dest'] === 'document',
  }
}

function originOf(referer: string | undefined): string | undefined {
  const url = referer === undefined ? null : URL.parse(referer)
  return url === null || url.origin === 'null' ? undefined : url.origin
}
