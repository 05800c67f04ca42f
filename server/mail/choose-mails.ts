import type { Language } from '@coffer/contract/languages'
import { mailsDe } from './messages-de.ts'
import { mailsEn, type PersonMails } from './messages-en.ts'
import { mailsEs } from './messages-es.ts'

const MAILS: Readonly<Record<Language, PersonMails>> = { en: mailsEn, de: mailsDe, es: mailsEs }

/** The emails to people in a language; null: it is not known. */
export function chooseMails(language: Language | null): PersonMails {
  return MAILS[language ?? 'en']
}
