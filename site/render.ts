/** Renders Markdown as HTML: headings with anchors, links within the site, highlighted code. */
import hljs from 'highlight.js/lib/common'
import { Marked } from 'marked'
import { dirname, join, normalize } from 'node:path/posix'
import { SECTIONS, type Page } from './page.ts'

const BASE = '/docs'

export function addressOf(path: string): string {
  return path === '' ? BASE : `${BASE}/${path}`
}

export function renderPage(page: Page, pages: readonly Page[]): string {
  const { html, headings } = renderMarkdown(page, pages)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.path === '' ? 'Coffer documentation' : `${escapeHtml(page.title)} · Coffer`}</title>
<link rel="icon" href="${BASE}/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${BASE}/site.css">
<script defer src="${BASE}/site.js"></script>
<script defer src="${BASE}/search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
  <a class="brand" href="${BASE}"><img src="${BASE}/mark.svg" alt="" width="28" height="28">Coffer <span>docs</span></a>
  <form class="search" role="search" hidden>
    <input type="search" name="query" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off" spellcheck="false" maxlength="100">
    <div class="results" hidden><p role="status"></p><ul></ul></div>
  </form>
  <a class="top-link" href="${BASE}/api/">API reference</a>
</header>
<div class="frame">
${renderNavigation(page, pages)}
<main id="content"${page.path === 'errors' ? ' class="error-list"' : ''}>
${html}
</main>
${renderContents(headings)}
</div>
</body>
</html>
`
}

interface Heading {
  depth: number
  id: string
  text: string
}

export function renderMarkdown(page: Page, pages: readonly Page[]) {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = html.replace(/<[^>]+>/g, '')
        const id = slugOf(text)
        headings.push({ depth, id, text })
        const anchor =
          depth > 1
            ? ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
            : ''
        // A long code breaks between its words.
        const shown = /^[A-Z_]+$/.test(html) ? html.replaceAll('_', '_<wbr>') : html
        return `<h${depth} id="${id}">${shown}${anchor}</h${depth}>\n`
      },
      code({ text, lang }) {
        const [language = '', ...rest] = (lang ?? '').split(' ')
        const title = /title=(\S+)/.exec(rest.join(' '))?.[1]
        const known = hljs.getLanguage(language) ? language : 'plaintext'
        const { value } = hljs.highlight(text, { language: known })
        const caption = title ? `<figcaption>${escapeHtml(title)}</figcaption>` : ''
        return `<figure class="code">${caption}<pre tabindex="0"><code>${value}</code></pre></figure>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolveLink(href, page, pages)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((row) => cells(row, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${cells(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return { html: marked.parse(page.markdown, { async: false }), headings }
}

/** A link to a file of the repository leads to its page; a file without a page stays plain text. */
function resolveLink(href: string, page: Page, pages: readonly Page[]): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', hash] = href.split('#')
  if (page.section === 'Errors' && page.path === 'errors') return `${BASE}/${file}`
  const target = normalize(join(dirname(page.source), file))
  const found = pages.find(({ source, section }) => source === target && section !== 'Errors')
  if (target === 'docs/errors.md') return `${BASE}/errors`
  if (target === 'docs/openapi.json') return `${BASE}/api/`
  return found && `${addressOf(found.path)}${hash ? `#${hash}` : ''}`
}

function renderNavigation(page: Page, pages: readonly Page[]): string {
  const shown = (other: Page) =>
    (other.section !== 'Errors' && other.section !== 'Decisions') ||
    other.section === page.section ||
    other.path === 'errors'
  const groups = SECTIONS.map((section) => {
    const links = pages.filter((other) => other.section === section && shown(other))
    if (section === 'Decisions' && page.section !== 'Decisions') {
      return `<h2>${section}</h2><ul><li>${linkTo(
        pages.find((p) => p.section === section),
        page,
        'All decisions',
      )}</li></ul>`
    }
    return `<h2>${section}</h2><ul>${links.map((other) => `<li>${linkTo(other, page)}</li>`).join('')}</ul>`
  })
  return `<nav class="pages" aria-label="Documentation"><details open><summary>Pages</summary>${groups.join('\n')}</details></nav>`
}

/** Names in the navigation that differ from the page's title. */
const SHORT: Record<string, string> = { '': 'Start here', errors: 'All errors' }

function linkTo(target: Page | undefined, current: Page, given?: string): string {
  if (target === undefined) return ''
  const text = given ?? SHORT[target.path] ?? target.title
  const isCurrent = target.path === current.path ? ' aria-current="page"' : ''
  return `<a href="${addressOf(target.path)}"${isCurrent}>${escapeHtml(text)}</a>`
}

function renderContents(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2)
  if (sections.length < 3) return ''
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/&[a-z]+;|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
