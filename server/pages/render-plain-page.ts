/** A page of text: no form, no data, no script. */
import { escapeHtml, styleSource } from './render-page.ts'

const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;
--bg:#ffffff;--text:#14171f;--muted:#596170;--line:#e4e7ec;--link:#4650e5}
@media (prefers-color-scheme:dark){:root{--bg:#101217;--text:#f3f4f7;--muted:#a4acba;--line:#2a2f39;--link:#a3a9ff}}
body{max-width:34rem;margin:3rem auto;padding:0 1.25rem;background:var(--bg);color:var(--text)}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 0.5rem}
p{margin:0 0 1.5rem}
a{color:var(--link);text-underline-offset:0.2em}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
ul{list-style:none;margin:0;padding:0}
li{border:1px solid var(--line);border-radius:12px;padding:0.75rem 1rem;margin-top:0.75rem;color:var(--muted)}
li a{display:block;font-weight:600;line-height:2}
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
