import { useMemo } from 'preact/hooks'
import { Badge } from '../kit/badge.tsx'
import type { ListedPerson, PeopleFilter } from '../calls.ts'
import { Filters, onlyGiven } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { nameOf } from '../kit/links.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { Time } from '../kit/time.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'Wallet' },
  { name: 'Balance', isNumber: true },
  { name: 'Created', isLeast: true },
]

function readFilter({ search, state }: Record<string, string>): PeopleFilter {
  return onlyGiven<PeopleFilter>({
    search: search?.slice(0, 100),
    state: state === 'frozen' ? state : undefined,
  })
}

export function People({ parameters }: { parameters: Record<string, string> }) {
  const { call } = usePage()
  const filter = useMemo(() => readFilter(parameters), [parameters])
  const list = useList(JSON.stringify(filter), async (cursor) =>
    toListed(await call('GET /api/admin/people', { ...filter, cursor }), ({ people }) =>
      people.map((person) => ({ ...person, key: person.id })),
    ),
  )
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          People
        </h1>
      </div>
      <Filters current={filter} searchHint="Name, email or serviceUserId">
        <SelectField
          name="state"
          label="Wallet"
          value={filter.state ?? ''}
          options={[
            ['', 'Any state'],
            ['frozen', 'Frozen'],
          ]}
        />
      </Filters>
      <List
        list={list}
        label="People"
        columns={COLUMNS}
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty
            title="No people yet"
            text="People who sign up in the widget of a client app will appear here."
          />
        }
        renderRow={(person) => <PersonRow key={person.key} person={person} />}
      />
    </div>
  )
}

function PersonRow({ person }: { person: ListedPerson }) {
  const { money, data } = usePage()
  const name = nameOf(person)
  return (
    <tr class={table.rowLink} data-row={person.id}>
      <th scope="row">
        <Link to={paths.person(person.id)}>
          <span class={table.clamp} dir="auto" title={name}>
            {name}
          </span>
        </Link>
        <span class={`${table.rowSecond} ${base.muted}`}>{person.email ?? '–'}</span>
      </th>
      <td>
        <WalletState person={person} />
      </td>
      <td class={table.number}>{money.plain(person.balance, data.currency)}</td>
      <td class={table.least}>
        <Time at={person.createdAt} isDay />
      </td>
    </tr>
  )
}

/** An erased person is marked first. */
export function WalletState({ person }: { person: Pick<ListedPerson, 'email' | 'isActive'> }) {
  return (
    <span class={badge.badges}>
      {person.email === null && <Badge>Erased</Badge>}
      {!person.isActive && <Badge kind="warning">Frozen</Badge>}
      {person.isActive && person.email !== null && (
        <span class={`${badge.state} ${badge.stateOn}`}>Active</span>
      )}
    </span>
  )
}
