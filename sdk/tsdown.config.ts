import { defineConfig, type UserConfig } from 'tsdown'

const shared: UserConfig = {
  target: 'node20',
  // What is published stands alone: an import of anything but Node would be a dependency.
  deps: { onlyBundle: [], onlyImport: [] },
  logLevel: 'warn',
  failOnWarn: true,
  suppressWarnings: 'TypeScript 7.0 does not yet have a stable API',
  checks: { legacyCjs: false },
}

// oxlint-disable-next-line import/no-default-export -- tsdown looks for it
export default defineConfig([
  { ...shared, entry: 'coffer.ts', format: ['esm', 'cjs'], copy: '../LICENSE' },
  // The command has a copy of its own of what it uses, so that the files above import nothing.
  { ...shared, entry: 'listen/listen.ts', format: 'esm', dts: false, clean: false },
])
