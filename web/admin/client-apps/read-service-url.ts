import type { AdminPageData } from '../../page-data.ts'
import { readPageData } from '../../ui/page.ts'

/** Not the origin of this page, which can be a separate one. */
export function readServiceUrl(): string {
  return (readPageData() as AdminPageData).publicOrigin ?? location.origin
}
