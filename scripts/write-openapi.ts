/** Writes docs/openapi.json from the contract; with --check it only says whether the committed one is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { buildOpenApi } from '@coffer/contract/openapi'

const file = new URL('../docs/openapi.json', import.meta.url)
const text = `${JSON.stringify(buildOpenApi(), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is stale. Run: npm run openapi')
  process.exitCode = 1
}
