/** For a developer whose iframe is not set up correctly: what arrived and what to do. No form, no data, no script. */
import type { Frame } from './find-frame.ts'
import { escapeHtml, styleSource } from './render-page.ts'

const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:2rem auto;padding:0 1.25rem}
h1{font-size:1.25rem;line-height:1.3}
code{font:0.875em ui-monospace,monospace;overflow-wrap:anywhere}
dt{font-weight:600;margin-top:0.75rem}dd{margin:0}`

export const HELP_POLICY = `default-src 'none'; style-src ${styleSource(CSS)}; base-uri 'none'; form-action 'none'`

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This wallet cannot be shown here</title>
<style>${CSS}</style>
</head>
<body>
<main>
<h1>This wallet cannot be shown here</h1>
<p>If you want to use your wallet: it is safe. Please go back to the app that you came from.</p>
<p>If you develop that app: ${WHAT_TO_DO[reason]}</p>
<dl>
<dt>Origin of the embedding page</dt><dd><code>${origin}</code></dd>
<dt>Parameters of the URL</dt><dd><code>${received}</code></dd>
<dt>Where to change it</dt><dd>In the admin area of this service, under Client apps.</dd>
</dl>
</main>
</body>
</html>
`
}
