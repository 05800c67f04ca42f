/** English comes with the page; another language is fetched only by those who read it. */
import { en, type Messages } from './messages-en.ts'

const OTHERS: Record<string, () => Promise<Messages>> = {
  de: async () => (await import('./messages-de.ts')).de,
}

function primary(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}

export async function chooseMessages(languages: readonly string[]): Promise<Messages> {
  const language = languages.map(primary).find((name) => name === en.lang || name in OTHERS)
  try {
    return (await OTHERS[language ?? '']?.()) ?? en
  } catch {
    return en
  }
}

/** For dates, which contain words: the visitor's own locale if it is of the page's language. */
export function chooseDateLocales(languages: readonly string[], lang: string): string[] {
  return [...languages.filter((tag) => primary(tag) === lang), lang]
}
