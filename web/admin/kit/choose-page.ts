/** Returns the page to open for a text that an operator enters in the search field. */
import { paths } from '../paths.ts'

const PROCESSOR_ID = /^(?:pi|ch|py|re|pyr|du|dp)_\w+$/

/** A text without a recognizable form can be the name of a person or an app, or a reference. */
export function choosePage(text: string): string {
  const wanted = text.trim()
  if (/^txn_[0-9a-f]{32}$/.test(wanted)) return paths.transaction(wanted)
  if (/^app_[0-9a-f]{24}$/.test(wanted)) return paths.app(wanted)
  const search = new URLSearchParams({ search: wanted })
  if (PROCESSOR_ID.test(wanted)) return `${paths.topups}?${search}`
  return wanted.includes('@') ? `${paths.people}?${search}` : `${paths.search}?${search}`
}
