/** Builds scripts and styles only: the server writes the HTML and finds the files in the manifest. */
import { defineConfig } from 'vite'
import { compressAssets } from './compress-assets.ts'

/** Files of ui/ that are needed only by forms. */
const FORMS = 'sign-in/|error-messages|field|use-form|explain-refusal'
/** Files of ui/ that the first view of the widget does not need. */
const LATER = `${FORMS}|copy-button|dialog|end-login|filter-fields|messages-(de|es)|passkeys/|shell`
/** Files that all pages of the widget need: its size matters most, because other sites load it. */
const WIDGET = 'frame|calls|messages-en|choose-messages|page-context|take-address|parent'

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
        'account/topup/topup.tsx',
        'admin/admin.tsx',
        'widget/wallet/wallet.tsx',
        'widget/topup/topup.tsx',
      ],
      output: {
        // Small chunks compress badly, so the parts that every page needs are one chunk, and the forms another.
        // What all pages of the widget need is in the first one for the same reason.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              priority: 2,
              test: new RegExp(`preload-helper|preact|widget/(${WIDGET})|ui/(?!${LATER})`),
            },
            { name: 'forms', priority: 1, test: new RegExp(`ui/(${FORMS})`) },
          ],
        },
      },
    },
  },
})
