/**
 * What gives an app more power, or lets other people act for it: new origins and scopes, other contacts, a new URL for
 * its events, and a secret that an operator sees. Once an app is in use, one operator alone cannot do any of it.
 */
import type { Scope } from '@coffer/contract/endpoint'
import { describeRestriction, type Restriction } from '../client-app/restriction.ts'
import type { OnMismatch } from '../client-app/queries.ts'
import type { Overlap } from '../client-app/rotate-secret.ts'

export interface AppSettings {
  name: string
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
  onMismatch: OnMismatch
  getsBalanceEvents: boolean
  /** Who is notified of changes, and receives the secret after an emergency rotation. */
  contactEmails: readonly string[]
}

/** The part that waits for a second operator. Lists contain what is added, except the contacts, which are replaced. */
export interface AppChange {
  scopes?: readonly Scope[]
  allowedOrigins?: readonly string[]
  allowedIframeParents?: readonly string[]
  contactEmails?: readonly string[]
  /** The operator accepts that another active app lists one of the parents. */
  sharesParents?: true
  /** How long the old secret stays valid; the proposer sees the new one after the approval. */
  rotation?: Overlap
  /** Of the new secret. */
  restriction?: Restriction
  /** Where the proposer may send events to, by creating or changing a webhook after the approval. */
  webhookUrl?: string
}

const LISTS = ['scopes', 'allowedOrigins', 'allowedIframeParents'] as const

/** Divides wanted settings into those that take effect now and those that wait. Removing something never waits. */
export function splitSettings(
  current: AppSettings,
  wanted: AppSettings,
): { now: AppSettings; later: AppChange | undefined } {
  const now = { ...wanted }
  const later: AppChange = {}
  for (const list of LISTS) {
    const known: readonly string[] = current[list]
    const added = wanted[list].filter((each) => !known.includes(each))
    if (added.length === 0) continue
    Object.assign(later, { [list]: added })
    Object.assign(now, { [list]: wanted[list].filter((each) => known.includes(each)) })
  }
  if (!isSameList(current.contactEmails, wanted.contactEmails)) {
    later.contactEmails = wanted.contactEmails
    now.contactEmails = current.contactEmails
  }
  return { now, later: Object.keys(later).length > 0 ? later : undefined }
}

/** The settings after the approval of what waited. */
export function addChange(current: AppSettings, change: AppChange): AppSettings {
  const added = LISTS.map((list) => [
    list,
    [...new Set([...current[list], ...(change[list] ?? [])])],
  ])
  return {
    ...current,
    ...(Object.fromEntries(added) as Pick<AppSettings, (typeof LISTS)[number]>),
    contactEmails: change.contactEmails ?? current.contactEmails,
  }
}

/** One sentence per change, for the contacts of the app. */
export function describeChanges(before: AppSettings, after: AppSettings): string[] {
  const news = (list: (typeof LISTS)[number]) => {
    const known: readonly string[] = before[list]
    return after[list].filter((each) => !known.includes(each))
  }
  const origins = new Set([...news('allowedOrigins'), ...news('allowedIframeParents')])
  const lines = [
    ...[...origins].map((origin) => `New origin: ${origin}`),
    ...news('scopes').map((scope) => `New scope: ${scope}`),
  ]
  if (!isSameList(before.contactEmails, after.contactEmails)) {
    lines.push(`New contacts: ${after.contactEmails.join(', ') || 'none'}`)
  }
  if (before.onMismatch !== after.onMismatch) lines.push(describeOnMismatch(after.onMismatch))
  if (before.getsBalanceEvents !== after.getsBalanceEvents) {
    lines.push(describeBalanceEvents(after.getsBalanceEvents))
  }
  return lines
}

function describeOnMismatch(onMismatch: OnMismatch): string {
  return onMismatch === 'conflict'
    ? 'A repeated reference with other values now gets 409 REFERENCE_MISMATCH.'
    : 'A repeated reference with other values now gets the outcome of the first request.'
}

function describeBalanceEvents(getsBalanceEvents: boolean): string {
  return getsBalanceEvents
    ? 'The app now gets the event balance.changed.'
    : 'The app no longer gets the event balance.changed.'
}

/** One sentence per change, for the operator who decides. */
export function listChanges(change: AppChange): string[] {
  const lines = [
    ...(change.allowedIframeParents ?? []).map((origin) => `New iframe parent: ${origin}`),
    ...(change.allowedOrigins ?? []).map((origin) => `New origin: ${origin}`),
    ...(change.scopes ?? []).map((scope) => `New scope: ${scope}`),
  ]
  if (change.contactEmails) {
    lines.push(`New contacts: ${change.contactEmails.join(', ') || 'none'}`)
  }
  if (change.sharesParents) lines.push('Another active app may list the same iframe parents.')
  if (change.rotation) {
    lines.push('A new secret, which the operator who proposed it sees.')
    if (change.restriction) lines.push(describeRestriction(change.restriction))
  }
  if (change.webhookUrl) lines.push(`Events are sent to a new URL: ${change.webhookUrl}`)
  return lines
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each))
}
