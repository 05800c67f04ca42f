/** Makes the card form, which is in an iframe of the processor, look like our forms. */
import type { Appearance } from '@stripe/stripe-js'

export const DARK = '(prefers-color-scheme: dark)'

export function readAppearance(): Appearance {
  const root = document.documentElement
  const { theme } = root.dataset
  const isDark = theme === 'auto' ? matchMedia(DARK).matches : theme === 'dark'
  const style = getComputedStyle(root)
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const rem = Number.parseFloat(style.fontSize)
  const px = (rems: number) => `${rems * rem}px`
  const field = { border: `1px solid ${token('line-strong')}`, boxShadow: 'none' }
  const ring = (color: string) => ({ borderColor: color, boxShadow: `0 0 0 1px ${color}` })
  return {
    theme: isDark ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: token('accent-text'),
      colorBackground: token('bg'),
      colorText: token('text'),
      colorTextSecondary: token('text-muted'),
      colorTextPlaceholder: token('text-muted'),
      colorDanger: token('danger'),
      colorSuccess: token('positive'),
      colorWarning: token('warning'),
      fontFamily: token('font'),
      fontSizeBase: px(1),
      fontSizeSm: px(0.875),
      fontWeightMedium: '550',
      borderRadius: px(0.625),
      spacingUnit: px(0.25),
      gridRowSpacing: px(1),
      gridColumnSpacing: px(0.75),
    },
    rules: {
      '.Input': { ...field, padding: `${px(0.625)} ${px(0.75)}` },
      '.Input:focus': ring(token('accent-text')),
      '.Input--invalid': { ...ring(token('danger')), boxShadow: 'none' },
      '.Tab': field,
      '.Label': { fontWeight: '550', color: token('text'), marginBottom: px(0.375) },
      '.Error': { fontSize: px(0.8125) },
    },
  }
}
