/** Builds the static site in dist/: the pages, styles, scripts, search index, API reference and llms.txt. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeApiReference } from './api-reference.ts'
import { ROOT } from './page.ts'
import { MISSING_PAGE, readPages } from './pages.ts'
import { addressOf, renderPage } from './render.ts'
import { writeSearchIndex } from './search-index.ts'

const HERE = fileURLToPath(new URL('./', import.meta.url))
/** Renamed when complete, because a running process may still read the previous build. */
const DIST = `${HERE}dist-${process.pid}/`

const pages = readPages()
mkdirSync(DIST, { recursive: true })
for (const page of pages) {
  const file = `${DIST}${page.path || 'index'}.html`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, renderPage(page, pages))
}
writeFileSync(`${DIST}404.html`, renderPage(MISSING_PAGE, pages))
for (const file of ['site.css', 'mark.svg']) cpSync(`${HERE}${file}`, `${DIST}${file}`)
// The pages have no origin, and such a page cannot load a module. A function keeps the names out of the page.
for (const file of ['site.js', 'search.js']) {
  const script = readFileSync(`${HERE}${file}`, 'utf8')
  writeFileSync(`${DIST}${file}`, `;(() => {\n'use strict'\n${script}})()\n`)
}
await writeApiReference(DIST)
writeFileSync(`${DIST}search-index.js`, writeSearchIndex(pages))
cpSync(`${ROOT}docs/scale-curve.svg`, `${DIST}scale-curve.svg`)
const list = pages
  .filter(({ section }) => section !== 'Decisions')
  .map(({ path, title, markdown }) => {
    const summary = /^(?!#|\||>|\*\*|```)\S.*(?:\n\S.*)*/m.exec(markdown)?.[0] ?? ''
    return `- [${title}](${addressOf(path)}): ${summary.replaceAll('\n', ' ').split('. ')[0]}`
  })
writeFileSync(
  `${DIST}llms.txt`,
  `# Coffer\n\n> A wallet service that other apps can build on: balances, idempotent debits and credits, a hosted widget, card top-ups.\n\nThe API as OpenAPI 3.0: /docs/openapi.json\n\n## Pages\n\n${list.join('\n')}\n`,
)
rmSync(`${HERE}dist`, { recursive: true, force: true })
renameSync(DIST, `${HERE}dist`)
