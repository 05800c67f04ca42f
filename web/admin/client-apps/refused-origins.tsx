import type { TabProps } from '../kit/app-tabs.tsx'
import { type Column, Table } from '../kit/list-parts.tsx'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: Column[] = [{ name: 'Page' }, { name: 'Count', isNumber: true }, { name: 'Last' }]

/**
 * Pages that tried to embed the widget but are not listed. Anyone can send such a request with any page in it, so the
 * list is only text: an operator who wants to allow a page types its origin.
 */
export function RefusedOrigins({ app }: Pick<TabProps, 'app'>) {
  return (
    <>
      <Table label="Refused pages" columns={COLUMNS}>
        {app.seen.refusedOrigins.map(({ origin, count, at }) => (
          <tr key={origin}>
            <th scope="row">{origin}</th>
            <td class={table.number}>{count.toLocaleString('en')}</td>
            <td>
              <Time at={at} />
            </td>
          </tr>
        ))}
      </Table>
      <p class={`${base.muted} ${parts.partLead}`}>
        These pages are not verified: anyone can send a request that names any page. If the app’s
        developers confirm that a page is theirs, enter its origin under Settings.
      </p>
    </>
  )
}
