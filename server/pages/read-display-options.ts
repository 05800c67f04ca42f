import { LANGUAGES, type Language } from '@coffer/contract/languages'
import type { Theme } from './render-page.ts'

/** What the page of a client app asks for in the URL of the widget. */
export interface DisplayOptions {
  /** null: that of the browser. */
  locale: Language | null
  theme: Theme
}

const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

/** Ignores everything else: a newer version of the page may ask for more. */
export function readDisplayOptions({ locale, theme }: Record<string, unknown>): DisplayOptions {
  return {
    locale: LANGUAGES.find((each) => each === locale) ?? null,
    theme: THEMES.find((each) => each === theme) ?? 'auto',
  }
}

/** The query of the URL after everything confidential was removed from it. */
export function writeQuery(clientId: string, { locale, theme }: DisplayOptions): string {
  const query = new URLSearchParams({ clientId })
  if (locale !== null) query.set('locale', locale)
  if (theme !== 'auto') query.set('theme', theme)
  return String(query)
}
