import { hash } from 'node:crypto'
import type { WebEntry } from './web-assets.ts'

export const ICON = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'

/** The colors of a page; auto: as in the system. */
export type Theme = 'auto' | 'light' | 'dark'

/** A page of ours: the script renders it from the data in the page. */
export function renderPage(
  title: string,
  entry: WebEntry,
  data: object,
  theme: Theme = 'auto',
): string {
  const { script, preloads, styles } = entry
  return `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<title>${escapeHtml(title)}</title>
${ICON}
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

/** Escapes everything that could end the script element. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Allows exactly one inline style sheet. */
export function styleSource(css: string): string {
  return `'sha256-${hash('sha256', css, 'base64')}'`
}
