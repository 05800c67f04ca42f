/** /widget/wallet, framed by client apps. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WidgetPageData } from '../../web/page-data.ts'
import type { Context } from '../context.ts'
import { findFrame, type FrameRequest } from './find-frame.ts'
import { HELP_POLICY, renderHelp } from './render-help.ts'
import { renderPage } from './render-page.ts'
import { findEntry, mountAssets } from './web-assets.ts'

const HTML = 'text/html; charset=utf-8'

export async function mountWidgetPages(app: FastifyInstance, context: Context) {
  const { config, mailer } = context
  const wallet = findEntry('widget/wallet.tsx')
  const door = findEntry('widget/wallet.tsx', 'widget/auth.tsx')
  await mountAssets(app)
  app.get('/widget/wallet', async (request, reply) => {
    const asked = readFrameRequest(request, config.publicOrigin)
    const frame = await findFrame(context, asked)
    reply.header('Content-Type', HTML)
    if (!frame.isKnown) {
      const names = Object.keys(request.query as object).slice(0, 10)
      reply.header('Content-Security-Policy', HELP_POLICY)
      return renderHelp(frame.reason, asked.seenOrigin, names)
    }
    const { clientApp, parentOrigins, listeners } = frame
    reply.header('Content-Security-Policy', walletPolicy(parentOrigins))
    const data: WidgetPageData = {
      page: 'wallet',
      clientId: clientApp.clientId,
      appName: clientApp.name,
      accentColor: clientApp.accentColor,
      listeners: [...listeners],
      hasMailer: mailer !== undefined,
      isSandbox: false,
      passwordMin: config.passwordMin,
    }
    // Without a session the door is shown, unless the page was only reloaded.
    return renderPage('Wallet', asked.session === undefined ? door : wallet, data)
  })
}

function walletPolicy(parentOrigins: readonly string[]): string {
  const ancestors = parentOrigins.length > 0 ? parentOrigins.join(' ') : `'none'`
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `frame-src 'none'`,
    `frame-ancestors ${ancestors}`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
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
