/** A page of text: no form, no data, no script. */
import { escapeHtml, styleSource } from './render-page.ts'

const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:2rem auto;padding:0 1.25rem}
h1{font-size:1.25rem;line-height:1.3}
code{font:0.875em ui-monospace,monospace;overflow-wrap:anywhere}
dt{font-weight:600;margin-top:0.75rem}dd{margin:0}`

export const PLAIN_POLICY = `default-src 'none'; style-src ${styleSource(CSS)}; base-uri 'none'; form-action 'none'`

/** `content` and `head` are HTML. */
export function renderPlainPage(title: string, content: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${CSS}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}
