import { hash } from 'node:crypto'
import type { WebEntry } from './web-assets.ts'

/** A page of ours: the scripts do the rest, from the data that stands beside them. */
export function renderPage(title: string, entry: WebEntry, data: object): string {
  const { script, preloads, styles } = entry
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${preloads.map((href) => `<link rel="modulepreload" href="${href}">`).join('\n')}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="page-data">${escapeJson(data)}</script>
<noscript>This page needs JavaScript. Switch it on and reload the page.</noscript>
</body>
</html>
`
}

/** Nothing in it can end the element that it stands in. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Allows one inline style sheet and nothing else of its kind. */
export function styleSource(css: string): string {
  return `'sha256-${hash('sha256', css, 'base64')}'`
}
