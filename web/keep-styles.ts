import type { Plugin } from 'vite'

/**
 * The build replaces `styles.name` with the generated name. Nothing refers to the style sheet after that, and without
 * this plugin the build would drop it.
 */
export function keepStyles(): Plugin {
  return {
    name: 'keep-styles',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: () => ({ moduleSideEffects: 'no-treeshake' }),
    },
  }
}
