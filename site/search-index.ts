/** The search index: the text of every section of every page, as a script that the browser loads on the first search. */
import { listDocumentedEndpoints } from './endpoint-address.ts'
import type { Page } from './page.ts'
import { addressOf, renderMarkdown } from './render.ts'

export interface SearchEntry {
  url: string
  page: string
  /** Empty for the text before the first heading of a page. */
  heading: string
  text: string
  /** Sections with a lower rank come first when they match equally well. */
  rank: number
}

/** Readers look for guides and error codes more often than for the reasons behind them. */
const RANKS: Partial<Record<Page['section'], number>> = { Decisions: 1 }

export function writeSearchIndex(pages: readonly Page[]): string {
  const endpoints = listDocumentedEndpoints().map(({ method, path, ...endpoint }) => ({
    url: endpoint.address,
    page: endpoint.summary,
    heading: '',
    text: `${method} ${path} ${endpoint.description}`,
    rank: 0,
  }))
  const entries = [...pages.flatMap((page) => readEntries(page, pages)), ...endpoints]
  return `globalThis.searchIndex = ${JSON.stringify(entries)}\n`
}

/** Splits the finished HTML, so that a result links to an anchor that exists. */
function readEntries(page: Page, pages: readonly Page[]): SearchEntry[] {
  const { html, headings } = renderMarkdown(page, pages)
  const [start = '', ...sections] = html.split(/(?=<h[23] id=")/)
  const subheadings = headings.filter(({ depth }) => depth === 2 || depth === 3)
  const address = addressOf(page.path)
  const rank = RANKS[page.section] ?? 0
  const isErrorList = page.path === 'errors'
  return [
    { url: address, page: page.title, heading: '', text: isErrorList ? '' : textOf(start), rank },
    ...sections.map((section, index) => {
      const { id = '', text = '' } = subheadings[index] ?? {}
      const url = `${address}#${id}`
      return { url, page: page.title, heading: decode(text), text: textOf(section), rank }
    }),
  ]
}

function textOf(html: string): string {
  const body = html.replace(/<h([1-3]) id=.*?<\/h\1>/gs, '')
  return decode(body.replace(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function decode(text: string): string {
  const entities: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#x27;': "'",
    '&#39;': "'",
    '&amp;': '&',
  }
  return text.replace(/&(?:lt|gt|quot|amp|#x27|#39);/g, (entity) => entities[entity] ?? entity)
}
