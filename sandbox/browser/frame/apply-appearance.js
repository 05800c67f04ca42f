/** Stripe's variable → ours. */
const VARIABLES = {
  colorPrimary: '--primary',
  colorBackground: '--background',
  colorText: '--text',
  colorTextSecondary: '--label',
  colorTextPlaceholder: '--secondary',
  colorDanger: '--danger',
  borderRadius: '--radius',
  fontFamily: '--font',
  fontSizeBase: '--size',
  spacingUnit: '--unit',
}

/** Takes over the theme and the variables of Stripe's appearance; its rules are not supported.
 * @param {{ theme?: string, variables?: Record<string, string> }} appearance */
export function applyAppearance({ theme = 'stripe', variables = {} }) {
  const root = document.documentElement
  root.dataset['theme'] = theme
  for (const [name, own] of Object.entries(VARIABLES)) {
    const value = variables[name]
    if (value === undefined) root.style.removeProperty(own)
    else root.style.setProperty(own, value)
  }
}
