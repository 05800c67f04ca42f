/**
 * The HTML of an email, from its text: the words are in one place. It loads nothing and contains no script, and a link
 * shows its whole address.
 */
import type { Mail } from './messages.ts'

const CSS = `body{margin:0;background:#f5f6f8;color:#14171f;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:520px;margin:0 auto;padding:32px 24px;background:#fff}
h1{margin:0 0 16px;font-size:20px;line-height:1.3}
p{margin:0 0 16px;overflow-wrap:anywhere}
p:last-child{margin:0}
a{color:#4650e5;font-weight:600}
.code{padding:12px;border-radius:8px;background:#f5f6f8;font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.2em;text-align:center}
@media (prefers-color-scheme:dark){body{background:#08090c;color:#f3f4f7}main{background:#101217}a{color:#a3a9ff}.code{background:#1a1d24}}`

const CODE = /^\d{6}$/
const LINK = /^https?:\/\/\S+$/

export function renderHtml({ lang = 'en', subject, text }: Mail): string {
  const paragraphs = text.trim().split('\n\n').map(renderParagraph).join('\n')
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(subject)}</title>
<style>${CSS}</style>
</head>
<body>
<main>
<h1>${escape(subject)}</h1>
${paragraphs}
</main>
</body>
</html>
`
}

function renderParagraph(paragraph: string): string {
  const text = escape(paragraph)
  if (CODE.test(paragraph)) return `<p class="code">${text}</p>`
  if (LINK.test(paragraph)) return `<p><a href="${text}">${text}</a></p>`
  return `<p>${text.replaceAll('\n', '<br>')}</p>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)
}
