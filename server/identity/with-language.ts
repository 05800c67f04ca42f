import type { Language } from '@coffer/contract/languages'

/** For the emails that a request causes: in the language of its browser if the person has chosen none. */
export function withLanguage<Owner extends { language: Language | null }>(
  owner: Owner,
  language: Language | null,
): Owner {
  return { ...owner, language: owner.language ?? language }
}
