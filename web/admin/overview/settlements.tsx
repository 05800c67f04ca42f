/** The settlement of each client app, with a link to its statement. */
import { AppLink } from '../kit/links.tsx'
import type { ExportPath, Overview } from '../calls.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { type Column, Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './overview.module.css'

const OWED_BY = { platform: 'owed to the app', app: 'owed by the app', even: 'even' }

type Settlement = Overview['settlements'][number]
const COLUMNS: readonly Column[] = [
  { name: 'Client app' },
  { name: 'Debits', isMinor: true, isNumber: true },
  { name: 'Credits', isMinor: true, isNumber: true },
  { name: 'Settlement', isNumber: true },
  { name: 'Statement', isMinor: true },
]

export function Settlements({ figures }: { figures: Overview }) {
  const { settlements, moreApps, slots, currency } = figures
  const days = { from: slots[0]?.at.slice(0, 10) ?? '', to: slots.at(-1)?.at.slice(0, 10) ?? '' }
  return (
    <section class={parts.part}>
      <h2>Settlement by client app</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        {settlements.length === 0
          ? 'No client app has debited or credited anything yet.'
          : 'Current amounts, largest first; debits and credits of this period.'}
      </p>
      {settlements.length > 0 && (
        <Table label="Settlement by client app" columns={COLUMNS}>
          {settlements.map((each) => (
            <Row key={each.clientId} app={each} currency={currency} days={days} />
          ))}
        </Table>
      )}
      {moreApps > 0 && (
        <p class={base.muted}>
          {moreApps.toLocaleString('en')} more {moreApps === 1 ? 'app has' : 'apps have'}{' '}
          operations.{' '}
          <Link class={button.textButton} to={paths.apps}>
            All client apps
          </Link>
        </p>
      )}
    </section>
  )
}

interface RowProps {
  app: Settlement
  currency: string
  days: { from: string; to: string }
}

function Row({ app, currency, days }: RowProps) {
  const { money } = usePage()
  const { clientId, name, debits, credits, settlement } = app
  const owed = settlement === 0 ? 'even' : settlement > 0 ? 'platform' : 'app'
  const period = new URLSearchParams(days).toString()
  const file: ExportPath = '/api/admin/client-apps/statement.csv'
  const download = `${file}?${new URLSearchParams({ clientId, ...days })}`
  const what = <span class={base.visuallyHidden}> the statement of {name}</span>
  return (
    <tr>
      <th scope="row">
        <AppLink app={{ clientId, name }} />
      </th>
      <td class={`${table.minor} ${table.number}`}>{money.plain(debits.amount, currency)}</td>
      <td class={`${table.minor} ${table.number}`}>{money.plain(credits.amount, currency)}</td>
      <td class={table.number}>
        {money.plain(Math.abs(settlement), currency)}
        <span class={`${table.rowSecond} ${base.muted}`}>{OWED_BY[owed]}</span>
      </td>
      <td class={table.minor}>
        <span class={styles.rowActions}>
          <Link class={button.textButton} to={`${paths.app(clientId)}?tab=statement&${period}`}>
            View
            {what}
          </Link>
          <a class={button.textButton} href={download} download>
            <DownloadIcon />
            CSV
            {what}
          </a>
        </span>
      </td>
    </tr>
  )
}
