/** English is part of the page; another language is loaded only for the visitors who read it. */

function primary(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}

export async function chooseMessages<Messages>(
  languages: readonly string[],
  english: Messages,
  others: Record<string, () => Promise<Messages>>,
): Promise<Messages> {
  const language = languages.map(primary).find((name) => name === 'en' || name in others)
  try {
    return (await others[language ?? '']?.()) ?? english
  } catch {
    return english
  }
}

/** For dates, which contain words: the visitor's own locale if it belongs to the page's language. */
export function chooseDateLocales(languages: readonly string[], lang: string): string[] {
  return [...languages.filter((tag) => primary(tag) === lang), lang]
}

/** For messages, numbers and dates: the chosen language with the browser's regional variants; else the browser's. */
export function listLocales(chosen: string | null): string[] {
  const languages = readLanguages()
  return chosen === null ? languages : chooseDateLocales(languages, chosen)
}

/** WebKit reports the setting of the system, which may be no language tag (such as C). Intl would throw an error. */
export function readLanguages({ languages }: { languages: readonly string[] } = navigator) {
  const isTag = (tag: string) => {
    try {
      return Intl.getCanonicalLocales(tag)
    } catch {
      return false
    }
  }
  return [...languages.filter(isTag), 'en']
}
