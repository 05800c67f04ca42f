/** Which page answers what an operator enters in the search of the admin area. */
import { paths } from '../paths.ts'

const PROCESSOR_ID = /^(?:pi|ch|py|re|pyr|du|dp)_\w+$/
const TOPUP_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A text without a recognizable form is the name or the serviceUserId of a person. */
export function findPlace(text: string): string {
  const wanted = text.trim()
  if (/^txn_[0-9a-f]{32}$/.test(wanted)) return paths.transaction(wanted)
  if (/^app_[0-9a-f]{24}$/.test(wanted)) return paths.app(wanted)
  const isTopup = PROCESSOR_ID.test(wanted) || TOPUP_ID.test(wanted)
  return `${isTopup ? paths.topups : paths.people}?${new URLSearchParams({ search: wanted })}`
}
