/** Fails if a first view of the wallet page is too large. Run it after a build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface ManifestChunk {
  file: string
  css?: string[]
  imports?: string[]
}

const HTML_BYTES = 1_536
const LIMIT_BYTES = 30_000
/** The entry files that are loaded with a session, and without one. */
const VIEWS = {
  wallet: ['widget/wallet/wallet.tsx', 'widget/wallet/page.tsx'],
  'log-in': ['widget/wallet/wallet.tsx', 'widget/sign-in/sign-in.tsx'],
}

const dist = join(import.meta.dirname, 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  ManifestChunk
>

function collectFiles(name: string, seen: Set<string>): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The manifest lacks ${name}. Build first: npm run build -w web`)
  const imported = (chunk.imports ?? []).flatMap((next) => collectFiles(next, seen))
  return [chunk.file, ...(chunk.css ?? []), ...imported]
}

function printLine(name: string, bytes: number) {
  process.stdout.write(`${String(bytes).padStart(7)}  ${name}\n`)
}

for (const [view, entries] of Object.entries(VIEWS)) {
  const seen = new Set<string>()
  let sum = HTML_BYTES
  for (const file of entries.flatMap((entry) => collectFiles(entry, seen))) {
    const bytes = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
    printLine(file, bytes)
    sum += bytes
  }
  printLine('the HTML, at most', HTML_BYTES)
  printLine(`bytes of gzip for the ${view}; ${LIMIT_BYTES} allowed\n`, sum)
  if (sum > LIMIT_BYTES) process.exitCode = 1
}
