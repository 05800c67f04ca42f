import type { Overview } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './overview.module.css'

const texts = words.overview
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const columns = texts.refusalColumns
const COLUMNS: readonly Column[] = [
  { name: columns.code },
  { name: columns.count, isNumber: true },
  { name: columns.share, isMinor: true },
  { name: columns.meaning, isMinor: true },
]

/** Where the figure of refused requests leads to. */
export const REFUSALS_ID = 'refused'

export function Refusals({ refusals }: { refusals: Overview['refusals'] }) {
  const meanings: Record<string, string> = words.meanings
  const all = refusals.reduce((sum, { count }) => sum + count, 0)
  return (
    <section class={parts.part}>
      <h2 id={REFUSALS_ID}>{texts.refusals}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        {refusals.length === 0 ? texts.noRefusals : texts.refusalsLead}
      </p>
      {refusals.length > 0 && (
        <div class={styles.codes}>
          <Table label={texts.refusals} columns={COLUMNS}>
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
                <td class={`${table.minor} ${table.wide}`}>
                  {meanings[code] ?? words.check.unknownCode}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </section>
  )
}
