/**
 * The choices that this browser stores, for pages that are shown before the person logs in. Browsers may block the
 * storage.
 */
import { LANGUAGES, type Language } from '@coffer/contract/languages'

const LANGUAGE = 'coffer-language'
const THEME = 'coffer-theme'

export const THEMES = ['auto', 'light', 'dark'] as const
/** auto: the theme of the system. */
export type Theme = (typeof THEMES)[number]

export function readKeptLanguage(): Language | null {
  const kept = read(LANGUAGE)
  return LANGUAGES.find((each) => each === kept) ?? null
}

export function keepLanguage(language: Language | null) {
  write(LANGUAGE, language)
}

export function readTheme(): Theme {
  const kept = read(THEME)
  return THEMES.find((each) => each === kept) ?? 'auto'
}

/** Applies the theme and stores it for later visits. */
export function chooseTheme(theme: Theme) {
  write(THEME, theme === 'auto' ? null : theme)
  applyTheme(theme)
}

/** Sets the attribute that the server writes into the pages of the widget. */
export function applyTheme(theme: Theme) {
  document.documentElement.dataset['theme'] = theme
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // The choice applies until the person leaves the page.
  }
}
