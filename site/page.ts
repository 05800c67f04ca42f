import { fileURLToPath } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('../', import.meta.url))

/** Sections of the navigation. Error codes and decisions are listed only on pages of those sections. */
export const SECTIONS = ['Guides', 'SDKs', 'Running it', 'Errors', 'Decisions'] as const
export type Section = (typeof SECTIONS)[number]

export interface Page {
  /** Below /docs; empty for the first page. */
  path: string
  title: string
  markdown: string
  /** The file in the repository; relative links start there. */
  source: string
  section: Section
}
