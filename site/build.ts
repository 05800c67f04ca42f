/** Makes the static site below dist/: a page per address, the styles, and llms.txt. */
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './page.ts'
import { readPages } from './pages.ts'
import { addressOf, renderPage } from './render.ts'

const HERE = fileURLToPath(new URL('./', import.meta.url))
/** Put in its place when it is whole: somebody may be reading the old one at this moment. */
const DIST = `${HERE}dist-${process.pid}/`

const pages = readPages()
mkdirSync(DIST, { recursive: true })
for (const page of pages) {
  const file = `${DIST}${page.path || 'index'}.html`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, renderPage(page, pages))
}
for (const file of ['site.css', 'site.js', 'mark.svg']) cpSync(`${HERE}${file}`, `${DIST}${file}`)
cpSync(`${ROOT}docs/scale-curve.svg`, `${DIST}scale-curve.svg`)
const list = pages
  .filter(({ section }) => section !== 'Decisions')
  .map(({ path, title, markdown }) => {
    const summary = /^(?!#|\||>|\*\*|```)\S.*(?:\n\S.*)*/m.exec(markdown)?.[0] ?? ''
    return `- [${title}](${addressOf(path)}): ${summary.replaceAll('\n', ' ').split('. ')[0]}`
  })
writeFileSync(
  `${DIST}llms.txt`,
  `# Coffer\n\n> A wallet service that other apps can build on: balances, idempotent debits and credits, a hosted widget, card top-ups.\n\nThe whole contract as OpenAPI 3.1: /docs/openapi.json\n\n## Pages\n\n${list.join('\n')}\n`,
)
rmSync(`${HERE}dist`, { recursive: true, force: true })
renameSync(DIST, `${HERE}dist`)
