import type { Plugin } from 'vite'

const DARK = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/

/**
 * The dark colors count with the theme `dark`, and with `auto` if the system is dark. The style sheet has them once. A page
 * always has a theme: the server writes it into its `html` element.
 */
export function repeatDark(css: string): string {
  const colors = DARK.exec(css)?.[1]
  if (colors === undefined) throw new Error('tokens.css has no dark colors')
  const auto = `@media (prefers-color-scheme: dark) { [data-theme='auto'] {${colors}} }`
  return css.replace(DARK, `${auto} [data-theme='dark'] {${colors}}`)
}

export function repeatDarkColors(): Plugin {
  return {
    name: 'repeat-dark-colors',
    enforce: 'pre',
    transform: { filter: { id: /\/ui\/tokens\.css$/ }, handler: (css) => repeatDark(css) },
  }
}
