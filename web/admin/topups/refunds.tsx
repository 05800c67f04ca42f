import { Badge } from '../kit/badge.tsx'
import type { Refund, Topup } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './topups.module.css'

const STATES = {
  reserved: 'Being sent',
  sent: 'Sent',
  released: 'Not accepted',
  refused: 'Refused',
}

const STATE_HINTS = {
  reserved: 'Not completed yet. It is retried automatically.',
  sent: '',
  released: 'The processor did not accept it. The money is back in the wallet.',
  refused: 'The balance was too low. No money moved.',
}

const COLUMNS: readonly Column[] = [
  { name: 'Amount' },
  { name: 'State' },
  { name: 'Started', isMinor: true },
]
const KINDS = {
  reserved: 'warning',
  sent: 'good',
  released: undefined,
  refused: undefined,
} as const

export function TopupRefunds({ topup }: { topup: Topup }) {
  return (
    <section class={parts.part}>
      <h2>Refunds</h2>
      {topup.refunds.length === 0 && <p class={base.muted}>No refunds.</p>}
      {topup.refunds.length > 0 && (
        <Table label="Refunds" columns={COLUMNS}>
          {topup.refunds.map((refund) => (
            <RefundRow key={refund.id} refund={refund} currency={topup.currency} />
          ))}
        </Table>
      )}
    </section>
  )
}

function RefundRow({ refund, currency }: { refund: Refund; currency: string }) {
  const { money } = usePage()
  const { state, processorId, nextCheckAt } = refund
  const kind = KINDS[state]
  return (
    <tr>
      <th scope="row">
        <span class={table.rowName}>{money.plain(refund.amount, currency)}</span>
        {processorId && <code class={`${table.rowSecond} ${base.muted}`}>{processorId}</code>}
      </th>
      <td class={table.wide}>
        <Badge {...(kind && { kind })}>{STATES[state]}</Badge>
        {STATE_HINTS[state] && (
          <span class={`${styles.rowNote} ${base.muted}`}>{STATE_HINTS[state]}</span>
        )}
        {refund.isMadeAtProcessor && (
          <span class={`${styles.rowNote} ${base.muted}`}>Created at the card processor.</span>
        )}
        {refund.reason && (
          <span class={`${styles.rowNote} ${base.muted}`} dir="auto">
            Reason: {refund.reason}
          </span>
        )}
        {nextCheckAt && (
          <span class={`${styles.rowNote} ${base.muted}`}>
            Next attempt: <Time at={nextCheckAt} />
          </span>
        )}
      </td>
      <td class={table.minor}>
        <Time at={refund.createdAt} />
      </td>
    </tr>
  )
}
