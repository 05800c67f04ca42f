/** Parts that open and decided requests share. */
import type { MoneyFormat } from '../../ui/format-money.ts'
import type { Grant } from '../calls.ts'
import { showLimit } from '../kit/amounts.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as personLink from '../kit/links.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './grants.module.css'

export const GRANT_KINDS = {
  bonus: 'Bonus',
  correction_in: 'Correction',
  correction_out: 'Correction',
  credit_limit: 'Credit limit',
  app_change: 'Client app',
  hold_release: 'Release of a hold',
}

/** The amount with its sign, or the new credit limit. */
export function shownAmount(grant: Grant, money: MoneyFormat): string {
  const { kind, amount, currency, clientApp } = grant
  if (kind === 'app_change') return 'Change of the app'
  if (clientApp) return showLimit(clientApp, currency, money)
  return money.signed((kind === 'correction_out' ? -1 : 1) * (amount ?? 0), currency)
}

/** The amount or the change as part of a sentence. */
export function namedAmount(grant: Grant, money: MoneyFormat): string {
  const { clientApp, currency, kind } = grant
  if (kind === 'app_change') return 'a change of the app'
  if (!clientApp) return shownAmount(grant, money)
  if (clientApp.creditLimit === null) return 'unlimited credit'
  return `a credit limit of ${showLimit(clientApp, currency, money)}`
}

/** The person or the client app that the request is about. */
export function subjectOf({ person, clientApp }: Grant): string {
  return clientApp?.name ?? person?.name ?? 'Deleted account'
}

export function SubjectLink({ grant }: { grant: Grant }) {
  const { person, clientApp } = grant
  const second = clientApp ? clientApp.clientId : person?.email
  return (
    <>
      <Link
        class={personLink.personLink}
        to={clientApp ? paths.app(clientApp.clientId) : paths.person(person?.id ?? '')}
      >
        <span dir="auto">{subjectOf(grant)}</span>
      </Link>
      {second && <span class={`${table.rowSecond} ${base.muted}`}>{second}</span>}
    </>
  )
}

/** The changes of a client app. */
export function Changes({ grant: { changes } }: { grant: Grant }) {
  if (changes.length === 0) return null
  return (
    <ul class={styles.grantReason}>
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )
}
