/** An entry of a person's history; its details can be opened. */
import type { ComponentChildren } from 'preact'
import type { PersonEntry as Entry } from '../calls.ts'
import { DisclosureRow } from '../kit/disclosure-row.tsx'
import { Copyable, Facts } from '../kit/facts.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { OPERATION_KINDS } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as personLink from '../kit/links.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './people.module.css'

interface PersonEntryProps {
  entry: Entry
  columnCount: number
  /** Made since the page was opened. */
  isNew: boolean
  /** The action on a debit. */
  renderAction: (entry: Entry) => ComponentChildren
}

/** The description first, because it is what the person remembers. */
export function PersonEntry({ entry, columnCount, isNew, renderAction }: PersonEntryProps) {
  const { money } = usePage()
  const kind = OPERATION_KINDS[entry.kind]
  const { grant } = entry
  const second = [
    entry.description === null ? null : kind,
    entry.app,
    grant?.reason,
    grant?.proposedBy,
  ]
    .filter(Boolean)
    .join(' · ')
  const isCredit = entry.type === 'credit'
  return (
    <DisclosureRow
      id={entry.id}
      at={entry.createdAt}
      columnCount={columnCount}
      isNew={isNew}
      renderDetails={() => (
        <>
          <Details entry={entry} />
          {renderAction(entry)}
        </>
      )}
    >
      <td class={styles.what} dir="auto">
        {entry.description ?? kind}
        {second && <span class={`${table.rowSecond} ${base.muted}`}>{second}</span>}
      </td>
      <td class={table.minor}>
        <code class={table.cut} title={entry.referenceId ?? undefined}>
          {entry.referenceId}
        </code>
      </td>
      <td class={isCredit ? `${table.number} ${styles.amountIn}` : table.number}>
        {money.signed(isCredit ? entry.amount : -entry.amount, entry.currency)}
      </td>
      <td class={`${table.number} ${table.least}`}>
        {money.plain(entry.balanceAfter, entry.currency)}
      </td>
    </DisclosureRow>
  )
}

function Details({ entry }: { entry: Entry }) {
  const { money } = usePage()
  const { debtChange, currency } = entry
  const debt = debtChange !== 0 && money.plain(Math.abs(debtChange), currency)
  const rows: [string, ComponentChildren][] = [
    ['Client app', entry.app],
    ['Description', entry.description],
    ['Reference type', entry.referenceType && <code>{entry.referenceType}</code>],
    ['Reference', entry.referenceId && <code>{entry.referenceId}</code>],
    [debtChange > 0 ? 'Added to the debt' : 'Paid off the debt', debt],
    ['Refund of', entry.refundOf && <code>{entry.refundOf}</code>],
    ['Refunded', entry.refunded && money.plain(entry.refunded, currency)],
    ['Balance after', money.plain(entry.balanceAfter, currency)],
    ['Reason', entry.grant?.reason],
    ['Operator', entry.grant && showOperators(entry.grant)],
    ['Refund of', entry.grant?.charge && <DebitLink id={entry.grant.charge} />],
    ['ID the person sees', <Copyable key="id" text={entry.id} what="ID the person sees" />],
    ['ID the app sees', showAppId(entry)],
  ]
  return <Facts rows={rows} />
}

function showAppId({ appTransactionId: id }: Entry) {
  return id && <Copyable text={id} what="ID the app sees" />
}

function showOperators({ proposedBy, secondOperator }: NonNullable<Entry['grant']>): string {
  if (secondOperator === null) return proposedBy
  return `${proposedBy}, approved by ${secondOperator}`
}

function DebitLink({ id }: { id: string }) {
  return (
    <Link class={personLink.personLink} to={paths.transaction(id)}>
      <code>{id}</code>
    </Link>
  )
}
