import { fileURLToPath } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('../', import.meta.url))

/** Sections of the navigation. Pages of the last two are reached through their own lists. */
export const SECTIONS = ['Guides', 'SDKs', 'Running it', 'Errors', 'Decisions'] as const
export type Section = (typeof SECTIONS)[number]

export interface Page {
  /** Below /docs; empty for the first page. */
  path: string
  title: string
  markdown: string
  /** Where the text stands in the repository; relative links start from there. */
  source: string
  section: Section
}
