/** What the open and the decided ones show alike. */
import type { MoneyFormat } from '../../ui/format-money.ts'
import type { Grant } from '../calls.ts'
import { words } from '../messages.ts'
import { Link, paths } from '../route.tsx'

export function signedAmount({ kind, amount, currency }: Grant, money: MoneyFormat): string {
  return money.signed(kind === 'correction_out' ? -amount : amount, currency)
}

export function PersonLink({ person: { id, name, email } }: Pick<Grant, 'person'>) {
  return (
    <>
      <Link class="person-link" to={paths.person(id)}>
        <span dir="auto">{name ?? words.approvals.deletedPerson}</span>
      </Link>
      {email && <span class="row-second muted">{email}</span>}
    </>
  )
}
