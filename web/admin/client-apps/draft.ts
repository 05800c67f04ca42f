/** The values of a client app form before it is sent. */
import { ON_MISMATCH_DEFAULT } from '@coffer/contract/limits'
import type { AppSettings, ClientApp } from '../calls.ts'
import { isEmail, type FormErrors } from '../../ui/use-form.ts'
import { checkTypedOrigin } from './check-typed-origin.ts'
import { errorMessages } from '../explain-refusal.ts'

const CONTACTS_MAX = 10

export type Scope = ClientApp['scopes'][number]
export const SCOPES: readonly Scope[] = ['wallet:read', 'wallet:write']
export const LISTS = ['allowedIframeParents', 'allowedOrigins'] as const
export type ListName = (typeof LISTS)[number]

/** A typed origin that was not added yet is added when the form is sent. */
export interface OriginDraft {
  listed: readonly string[]
  typed: string
}

export interface AppDraft {
  name: string
  /** Empty for the default color. */
  accentColor: string
  scopes: readonly Scope[]
  allowedOrigins: OriginDraft
  allowedIframeParents: OriginDraft
  refusesMismatches: boolean
  getsBalanceEvents: boolean
  /** Separated by commas. */
  contactEmails: string
  isUnlimited: boolean
  creditLimit: string
}

export const DRAFT_FIELDS = [
  'name',
  'accentColor',
  'scopes',
  'allowedOrigins',
  'allowedIframeParents',
  'contactEmails',
  'creditLimit',
]

export function newDraft(): AppDraft {
  return {
    name: '',
    accentColor: '',
    scopes: SCOPES,
    allowedOrigins: { listed: [], typed: '' },
    allowedIframeParents: { listed: [], typed: '' },
    refusesMismatches: ON_MISMATCH_DEFAULT === 'conflict',
    getsBalanceEvents: false,
    contactEmails: '',
    isUnlimited: false,
    creditLimit: '',
  }
}

export function toDraft(app: ClientApp): AppDraft {
  return {
    name: app.name,
    accentColor: app.accentColor ?? '',
    scopes: SCOPES.filter((scope) => app.scopes.includes(scope)),
    allowedOrigins: { listed: app.allowedOrigins, typed: '' },
    allowedIframeParents: { listed: app.allowedIframeParents, typed: '' },
    refusesMismatches: app.onMismatch === 'conflict',
    getsBalanceEvents: app.getsBalanceEvents,
    contactEmails: app.contactEmails.join(', '),
    isUnlimited: app.creditLimit === null,
    creditLimit: app.creditLimit === null ? '' : String(app.creditLimit),
  }
}

export function checkDraft(draft: AppDraft): FormErrors {
  const { name, accentColor, isUnlimited, creditLimit } = draft
  const isAmount = isUnlimited || /^\d{1,9}(\.\d{1,3})?$/.test(creditLimit.trim())
  return {
    name: name.trim() ? '' : errorMessages.fieldErrors.appName,
    accentColor:
      !accentColor || isHexColor(accentColor) ? '' : errorMessages.fieldErrors.accentColor,
    ...Object.fromEntries(LISTS.map((list) => [list, checkTyped(draft[list])])),
    contactEmails: areContacts(draft.contactEmails)
      ? ''
      : 'Enter valid email addresses, separated by commas. At most 10.',
    creditLimit: isAmount ? '' : errorMessages.fieldErrors.creditLimit,
  }
}

function checkTyped({ listed, typed }: OriginDraft): string {
  return typed.trim() ? (checkTypedOrigin(typed.trim(), listed)?.text ?? '') : ''
}

export function isHexColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

export function toSettings(draft: AppDraft): Omit<AppSettings, 'clientId' | 'creditLimit'> {
  return {
    name: draft.name.trim(),
    accentColor: draft.accentColor ? draft.accentColor.toLowerCase() : null,
    scopes: [...draft.scopes],
    allowedOrigins: toOrigins(draft.allowedOrigins),
    allowedIframeParents: toOrigins(draft.allowedIframeParents),
    onMismatch: draft.refusesMismatches ? 'conflict' : 'replay',
    getsBalanceEvents: draft.getsBalanceEvents,
    contactEmails: toEmails(draft.contactEmails),
  }
}

function toEmails(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

function areContacts(text: string): boolean {
  const emails = toEmails(text)
  return emails.length <= CONTACTS_MAX && emails.every((email) => isEmail(email))
}

function toOrigins({ listed, typed }: OriginDraft): string[] {
  return typed.trim() ? [...listed, typed.trim()] : [...listed]
}
