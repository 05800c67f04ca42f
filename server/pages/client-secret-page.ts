/**
 * /account/client-secret, where a contact of a client app collects the new secret. The token is in the fragment of the
 * link. The page shows the secret only after a click, because mail scanners open links.
 */
import type { FastifyInstance } from 'fastify'
import { hash } from 'node:crypto'
import { styleSource } from './render-page.ts'

const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:2rem auto;padding:0 1.25rem}
h1{font-size:1.25rem;line-height:1.3}
code{font:0.875em ui-monospace,monospace;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;padding:0.625rem 1rem}`

const SCRIPT = `const ticket = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const button = document.querySelector('button')
const result = document.querySelector('#result')
button.addEventListener('click', async () => {
  button.disabled = true
  try {
    const response = await fetch('/api/client-secret', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    const body = await response.json()
    if (!response.ok) throw new Error(body.code === 'INVALID_REQUEST' ? 'Open the link in the email again.' : body.error)
    document.querySelector('#secret').textContent = body.clientSecret
    document.querySelector('#client').textContent = body.clientId
    document.querySelector('#shown').hidden = false
    button.hidden = true
    result.textContent = 'Save the secret now. It is not shown again.'
  } catch (error) {
    result.textContent = error.message
    button.disabled = false
  }
})`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>New client secret</title>
<style>${CSS}</style>
</head>
<body>
<main>
<h1>New client secret</h1>
<p>An operator revoked the old secret of your client app. The new secret is shown once, to the first person who presses the button.</p>
<button type="button">Show the secret</button>
<p id="result" role="status"></p>
<dl id="shown" hidden><dt>clientId</dt><dd><code id="client"></code></dd><dt>clientSecret</dt><dd><code id="secret"></code></dd></dl>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
    `style-src ${styleSource(CSS)}`,
    `connect-src 'self'`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; '),
}

export function mountClientSecretPage(app: FastifyInstance) {
  app.get('/account/client-secret', (_request, reply) => reply.headers(HEADERS).send(PAGE))
}
