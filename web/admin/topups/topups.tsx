import { useMemo } from 'preact/hooks'
import type { ListedTopup, TopupFilter } from '../calls.ts'
import { Filters, DayField, onlyGiven, toDay } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { nameOfPerson } from '../kit/links.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { Time } from '../kit/time.tsx'
import { AppFilter } from '../kit/app-choice.tsx'
import { TopupState, TOPUP_STATES } from './state.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as filters from '../kit/filters.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/links.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './topups.module.css'

const HAVING_NAMES = { refund: 'A refund', dispute: 'A dispute' }

const COLUMNS: readonly Column[] = [
  { name: 'Amount' },
  { name: 'State' },
  { name: 'Person', isMinor: true },
  { name: 'Client app', isLeast: true },
  { name: 'Started', isMinor: true },
]
const STATES = ['open', 'credited', 'ended'] as const
const HAVINGS = ['refund', 'dispute'] as const

/** Reads the filter from the URL, which can contain anything. */
function readFilter(parameters: Record<string, string>): TopupFilter {
  const { search, state, having, app, person, from, to } = parameters
  return onlyGiven<TopupFilter>({
    search: search?.slice(0, 254),
    state: STATES.find((each) => each === state),
    having: HAVINGS.find((each) => each === having),
    clientId: /^app_[0-9a-f]{24}$/.test(app ?? '') ? app : undefined,
    personId: /^\d{1,18}$/.test(person ?? '') ? person : undefined,
    from: toDay(from),
    to: toDay(to),
  })
}

export function Topups({ parameters }: { parameters: Record<string, string> }) {
  const { call } = usePage()
  const filter = useMemo(() => readFilter(parameters), [parameters])
  const list = useList(JSON.stringify(filter), async (cursor) =>
    toListed(await call('GET /api/admin/topups', { ...filter, cursor }), ({ topups }) =>
      topups.map((topup) => ({ ...topup, key: topup.id })),
    ),
  )
  const { clientId, personId, ...others } = filter
  const current = { ...others, app: clientId, person: personId }
  const found = list.view.rows?.[0]?.person
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Top-ups
        </h1>
      </div>
      <Filters current={current} searchHint="Payment, refund or dispute ID, or email">
        <AppFilter clientId={clientId ?? ''} />
        <span class={filters.lineBreak} />
        <SelectField
          name="state"
          label="State"
          value={filter.state ?? ''}
          options={[
            ['', 'Any state'],
            ...STATES.map((each) => [each, TOPUP_STATES[each]] as const),
          ]}
        />
        <SelectField
          name="having"
          label="With"
          value={filter.having ?? ''}
          options={[
            ['', 'Anything'],
            ...HAVINGS.map((each) => [each, HAVING_NAMES[each]] as const),
          ]}
        />
        <DayField name="from" value={filter.from} />
        <DayField name="to" value={filter.to} />
        {personId && <input type="hidden" name="person" value={personId} />}
      </Filters>
      {personId && (
        <p class={styles.only}>
          Only for {nameOfPerson({ id: personId, name: null, ...found })}{' '}
          <Link class={personLink.personLink} to={paths.topups}>
            Show all
          </Link>
        </p>
      )}
      <List
        list={list}
        label="Top-ups"
        columns={COLUMNS}
        isFiltered={Object.keys(filter).length > 0}
        empty={<Empty title="No top-ups yet" text="Top-ups will appear here." />}
        renderRow={(topup) => <TopupRow key={topup.key} topup={topup} />}
      />
    </div>
  )
}

function TopupRow({ topup }: { topup: ListedTopup }) {
  const { money, data } = usePage()
  return (
    <tr class={table.rowLink} data-row={topup.id}>
      <th scope="row">
        <Link to={paths.topup(topup.id)}>{money.plain(topup.amount, data.currency)}</Link>
        <code class={`${table.cut} ${base.muted}`}>{topup.intentId ?? 'No payment yet'}</code>
      </th>
      <td>
        <TopupState topup={topup} />
      </td>
      <td class={table.minor}>
        <span class={table.cut} dir="auto">
          {nameOfPerson(topup.person)}
        </span>
      </td>
      <td class={table.least}>
        <span class={table.cut} dir="auto">
          {topup.clientApp?.name ?? 'Account page'}
        </span>
      </td>
      <td class={table.minor}>
        <Time at={topup.createdAt} />
      </td>
    </tr>
  )
}
