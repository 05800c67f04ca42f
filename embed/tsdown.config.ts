import { defineConfig } from 'tsdown'

const entries = { embed: 'mount-wallet.ts', element: 'define-coffer-wallet.ts' }
const shared = { platform: 'browser', target: 'es2022' } as const

export default defineConfig([
  {
    ...shared,
    entry: entries,
    format: ['esm', 'cjs'],
    dts: true,
    fixedExtension: false,
    copy: '../LICENSE',
  },
  // Each in one file, for pages that are made without a bundler.
  ...Object.entries(entries).map(([name, file]) => ({
    ...shared,
    entry: { [`${name}.min`]: file },
    format: 'esm' as const,
    dts: false,
    minify: true,
    clean: false,
  })),
])
