/** What this browser remembers of the person's choices, for pages that know nobody yet. Browsers may block the storage. */
import { LANGUAGES, type Language } from '@coffer/contract/languages'
import { chooseDateLocales, readLanguages } from '../ui/choose-messages.ts'

const LANGUAGE = 'coffer-language'

export function readKeptLanguage(): Language | null {
  const kept = read(LANGUAGE)
  return LANGUAGES.find((each) => each === kept) ?? null
}

export function keepLanguage(language: Language | null) {
  write(LANGUAGE, language)
}

/** For texts, numbers and dates: the chosen language, in the regional variants of the browser; else those of the browser. */
export function listLocales(chosen: Language | null): string[] {
  const languages = readLanguages()
  return chosen === null ? languages : chooseDateLocales(languages, chosen)
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
    // The choice counts until the page is left.
  }
}
