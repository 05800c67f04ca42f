/** The settings of a client app: which of them take effect now, and which wait once the app is in use. */
import type { App, AppChange, Settings, State } from './model.ts'

const LISTS = ['scopes', 'allowedOrigins', 'allowedIframeParents'] as const

/** Whether another active app lists one of the pages that embed the widget. */
export function takenBy({ apps }: State, app: number | null, parents: readonly string[]): boolean {
  return apps.some(
    ({ isActive, settings }, index) =>
      index !== app &&
      isActive &&
      settings.allowedIframeParents.some((each) => parents.includes(each)),
  )
}

/** Divides wanted settings: what takes power away never waits. */
export function split(current: Settings, wanted: Settings): { now: Settings; later: AppChange } {
  const now = { ...wanted }
  const later: AppChange = {}
  for (const list of LISTS) {
    const added = wanted[list].filter((each) => !current[list].includes(each))
    now[list] = wanted[list].filter((each) => current[list].includes(each))
    if (added.length > 0) later[list] = added
  }
  const list = (emails: readonly string[]) => emails.toSorted().join()
  if (list(current.contactEmails) !== list(wanted.contactEmails)) {
    later.contactEmails = wanted.contactEmails
    now.contactEmails = current.contactEmails
  }
  return { now, later }
}

/** The approval adds to lists and replaces the contacts. */
export function takeChange(app: App, change: AppChange) {
  const { settings } = app
  for (const list of LISTS)
    settings[list] = [...new Set([...settings[list], ...(change[list] ?? [])])]
  settings.contactEmails = change.contactEmails ?? settings.contactEmails
}
