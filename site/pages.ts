/** The pages of the documentation in the order of the navigation. Their sources are files of the repository. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readErrorPages } from './error-pages.ts'
import { ROOT, type Page, type Section } from './page.ts'

const GUIDES: [path: string, source: string, section: Section][] = [
  ['', 'docs/index.md', 'Guides'],
  ['debit-safely', 'docs/debit-safely.md', 'Guides'],
  ['integration', 'docs/integration.md', 'Guides'],
  ['events', 'docs/events.md', 'Guides'],
  ['webhooks', 'docs/webhooks.md', 'Guides'],
  ['other-languages', 'docs/other-languages.md', 'Guides'],
  ['testing', 'docs/testing.md', 'Guides'],
  ['security', 'docs/security.md', 'Guides'],
  ['glossary', 'docs/glossary.md', 'Guides'],
  ['sdk/server', 'sdk/README.md', 'SDKs'],
  ['sdk/embed', 'embed/README.md', 'SDKs'],
  ['sdk/example', 'example/README.md', 'SDKs'],
  ['install', 'docs/install.md', 'Running it'],
  ['upgrade', 'docs/upgrade.md', 'Running it'],
  ['configuration', 'docs/configuration.md', 'Running it'],
  ['backup', 'docs/backup.md', 'Running it'],
  ['operations', 'docs/operations.md', 'Running it'],
  ['containers', 'docs/containers.md', 'Running it'],
  ['compliance', 'docs/compliance.md', 'Running it'],
  ['ledger', 'docs/ledger.md', 'Running it'],
  ['scale', 'docs/scale.md', 'Running it'],
  ['flows', 'docs/flows.md', 'Running it'],
  ['faults', 'docs/faults.md', 'Running it'],
  ['faults-long-run', 'docs/faults-long-run.md', 'Running it'],
]

/** For an address that has no page. */
export const MISSING_PAGE: Page = {
  path: '404',
  source: 'docs/index.md',
  section: 'Guides',
  title: 'Page not found',
  markdown:
    '# Page not found\n\nThere is no page at this address. Search above, or begin with the [overview](index.md).\n',
}

export function readPages(): Page[] {
  const decisions = globSync('docs/decisions/*.md', { cwd: ROOT })
    .toSorted()
    .map((source) => [`decisions/${basename(source, '.md')}`, source, 'Decisions'] as const)
  return [
    ...[...GUIDES, ...decisions].map(([path, source, section]) => {
      const markdown = readFileSync(`${ROOT}${source}`, 'utf8')
      return { path, source, section, markdown, title: titleOf(markdown, source) }
    }),
    ...readErrorPages(),
  ]
}

function titleOf(markdown: string, source: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`${source} has no title`)
  return title.replaceAll('`', '')
}
