/** Parts that open and decided requests share. */
import type { MoneyFormat } from '../../ui/format-money.ts'
import type { Grant } from '../calls.ts'
import { showLimit } from '../kit/show-limit.ts'
import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as personLink from '../kit/person-link.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './grants.module.css'

const texts = words.approvals

/** The amount with its sign, or the new credit limit. */
export function shownAmount(grant: Grant, money: MoneyFormat): string {
  const { kind, amount, currency, clientApp } = grant
  if (kind === 'app_change') return texts.change.name
  if (clientApp) return showLimit(clientApp, currency, money)
  return money.signed((kind === 'correction_out' ? -1 : 1) * (amount ?? 0), currency)
}

/** The same as part of a sentence. */
export function namedAmount(grant: Grant, money: MoneyFormat): string {
  const { clientApp, currency, kind } = grant
  if (kind === 'app_change') return texts.change.amount
  if (!clientApp) return shownAmount(grant, money)
  if (clientApp.creditLimit === null) return texts.limit.unlimited
  return texts.limit.amount(showLimit(clientApp, currency, money))
}

/** The person or the client app that the request is about. */
export function subjectOf({ person, clientApp }: Grant): string {
  return clientApp?.name ?? person?.name ?? texts.deletedPerson
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

/** Of a client app. */
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
