/** Fails if a browser build is too large. Run it after a build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const LIMIT_BYTES = { 'embed.min.js': 4_200, 'element.min.js': 5_000 }

for (const [file, limit] of Object.entries(LIMIT_BYTES)) {
  const bytes = gzipSync(readFileSync(join(import.meta.dirname, 'dist', file)), { level: 9 }).length
  process.stdout.write(`${String(bytes).padStart(7)}  ${file}; ${limit} bytes of gzip allowed\n`)
  if (bytes > limit) process.exitCode = 1
}
