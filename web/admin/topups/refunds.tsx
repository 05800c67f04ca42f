import { Badge } from '../kit/badge.tsx'
import type { Refund, Topup } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './topups.module.css'

const texts = words.refunds
const COLUMNS: readonly Column[] = [
  { name: texts.columns.amount },
  { name: texts.columns.state },
  { name: texts.columns.created, isMinor: true },
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
      <h2>{texts.title}</h2>
      {topup.refunds.length === 0 && <p class={base.muted}>{texts.none}</p>}
      {topup.refunds.length > 0 && (
        <Table label={texts.title} columns={COLUMNS}>
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
        <Badge {...(kind && { kind })}>{texts.states[state]}</Badge>
        {texts.hints[state] && (
          <span class={`${styles.rowNote} ${base.muted}`}>{texts.hints[state]}</span>
        )}
        {refund.isForeign && <span class={`${styles.rowNote} ${base.muted}`}>{texts.foreign}</span>}
        {refund.reason && (
          <span class={`${styles.rowNote} ${base.muted}`} dir="auto">
            {texts.reason(refund.reason)}
          </span>
        )}
        {nextCheckAt && (
          <span class={`${styles.rowNote} ${base.muted}`}>
            {texts.next}: <Time at={nextCheckAt} />
          </span>
        )}
      </td>
      <td class={table.minor}>
        <Time at={refund.createdAt} />
      </td>
    </tr>
  )
}
