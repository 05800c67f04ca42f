/** For a developer whose iframe is not set up correctly: what arrived and what to do. */
import type { Frame } from './find-frame.ts'
import { escapeHtml } from './render-page.ts'
import { renderPlainPage } from './render-plain-page.ts'

type Reason = Extract<Frame, { isKnown: false }>['reason']

const WHAT_TO_DO: Record<Reason, string> = {
  no_app:
    'Add <code>clientId</code> to the URL of the iframe, or register the origin of the embedding page in <code>allowedIframeParents</code> of your client app.',
  inactive: 'The client app is not active. Ask the operator of this service to activate it.',
  shared_origin:
    'Several client apps list this origin: add <code>clientId</code> to the URL of the iframe to select one.',
  origin_not_allowed:
    'Register this origin in <code>allowedIframeParents</code> of your client app, exactly as shown here: scheme, host and port.',
}

/** Shows only the names of the parameters, never their values: one of them may be a session. */
export function renderHelp(reason: Reason, seenOrigin: string | undefined, parameters: string[]) {
  const origin = seenOrigin === undefined ? 'none was sent' : escapeHtml(seenOrigin)
  const received = parameters.length === 0 ? 'none' : escapeHtml(parameters.join(', '))
  return renderPlainPage(
    'This wallet cannot be shown here',
    `<p>If you want to use your wallet: it is safe. Please go back to the app that you came from.</p>
<p>If you develop that app: ${WHAT_TO_DO[reason]}</p>
<dl>
<dt>Origin of the embedding page</dt><dd><code>${origin}</code></dd>
<dt>Parameters of the URL</dt><dd><code>${received}</code></dd>
<dt>Where to change it</dt><dd>In the admin area of this service, under Client apps.</dd>
</dl>`,
  )
}
