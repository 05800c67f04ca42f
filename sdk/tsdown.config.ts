import { defineConfig } from 'tsdown'

// oxlint-disable-next-line import/no-default-export -- tsdown looks for it
export default defineConfig({
  entry: 'coffer.ts',
  format: ['esm', 'cjs'],
  target: 'node20',
  // What is published stands alone: an import of anything but Node would be a dependency.
  deps: { onlyBundle: [], onlyImport: [] },
  copy: '../LICENSE',
  logLevel: 'warn',
  failOnWarn: true,
  suppressWarnings: 'TypeScript 7.0 does not yet have a stable API',
  checks: { legacyCjs: false },
})
