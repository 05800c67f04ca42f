import type { Overview } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { explainCode } from '../kit/explain-code.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './overview.module.css'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const COLUMNS: readonly Column[] = [
  { name: 'Code' },
  { name: 'Count', isNumber: true },
  { name: 'Share', isMinor: true },
  { name: 'Meaning', isMinor: true },
]

/** Where the figure of refused requests leads to. */
export const REFUSALS_ID = 'refused'

export function Refusals({ refusals }: { refusals: Overview['refusals'] }) {
  const all = refusals.reduce((sum, { count }) => sum + count, 0)
  return (
    <section class={parts.part}>
      <h2 id={REFUSALS_ID}>Refusals</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        {refusals.length === 0
          ? 'Nothing was refused in this period.'
          : 'Calls that returned an error code in this period.'}
      </p>
      {refusals.length > 0 && (
        <div class={styles.codes}>
          <Table label="Refusals" columns={COLUMNS}>
            {refusals.map(({ code, count }) => (
              <tr key={code}>
                <th scope="row">
                  <code>{code}</code>
                </th>
                <td class={table.number}>{count.toLocaleString('en')}</td>
                <td class={table.minor}>
                  <span class={styles.share} aria-hidden="true">
                    <span style={{ width: `${(100 * count) / all}%` }} />
                  </span>
                  <span class={styles.shareFigure}>{percent.format(count / all)}</span>
                </td>
                <td class={`${table.minor} ${table.wide}`}>{explainCode(code)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </section>
  )
}
