/** Builds scripts and styles only: the server writes the HTML and finds the files in the manifest. */
import { defineConfig } from 'vite'
import { compressAssets } from './compress-assets.ts'

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [compressAssets()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    rolldownOptions: {
      input: [
        'account/account.tsx',
        'admin/admin.tsx',
        'widget/wallet/wallet.tsx',
        'widget/topup/topup.tsx',
      ],
      output: {
        // Small files that most pages need stay in one: apart they weigh more on the widget.
        codeSplitting: { groups: [{ name: 'base', test: /preload-helper|accent-color|preact/ }] },
      },
    },
  },
})
