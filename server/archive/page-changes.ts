import type { Change } from './manifest.ts'

const PAGE = 2_000

/** One statement per page is much faster than one per wallet. */
export async function* changePages(changes: AsyncIterable<Change>): AsyncGenerator<Change[]> {
  let page: Change[] = []
  for await (const change of changes) {
    page.push(change)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
