/** The languages of the pages for people and of the emails to them. */
export const LANGUAGES = ['en', 'de', 'es'] as const

export type Language = (typeof LANGUAGES)[number]
