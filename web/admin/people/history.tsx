import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import type { HistoryFilter, Person } from '../calls.ts'
import { ExportButton } from '../kit/export-button.tsx'
import { DayField, Filters, onlyGiven, toDay } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { PersonEntry } from './entry.tsx'
import { RefundDebit } from '../kit/refund-debit.tsx'
import { readParts } from '../kit/read-parts.ts'
import { toListed, useList } from '../kit/use-read.ts'
import { OPERATION_KINDS, OPERATION_TYPES } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

const NO_ENTRIES = 'Every top-up, debit and credit will appear here.'

const COLUMNS: readonly Column[] = [
  { name: 'Time (UTC)' },
  { name: 'What' },
  { name: 'Reference', isMinor: true },
  { name: 'Amount', isNumber: true },
  { name: 'Balance after', isNumber: true, isLeast: true },
]
const TYPES = ['credit', 'debit'] as const
const KINDS = Object.keys(OPERATION_KINDS) as (keyof typeof OPERATION_KINDS)[]
const PARTS_MAX = 100

function readFilter(parameters: Record<string, string>): Omit<HistoryFilter, 'id'> {
  const { search, type, kind, clientId, from, to } = parameters
  return onlyGiven<Omit<HistoryFilter, 'id'>>({
    search: search?.slice(0, 100),
    type: TYPES.find((each) => each === type),
    kind: KINDS.find((each) => each === kind),
    clientId: clientId?.slice(0, 64),
    from: toDay(from),
    to: toDay(to),
  })
}

interface PersonHistoryProps {
  person: Person
  parameters: Record<string, string>
  reload: () => Promise<void>
  onDone: (text: string) => void
}

export function PersonHistory({ person, parameters, reload, onDone }: PersonHistoryProps) {
  const filter = useMemo(() => readFilter(parameters), [parameters])
  const asked = useMemo(() => ({ id: person.id, ...filter }), [person.id, filter])
  const list = useEntries(asked, person.entries)
  const seenUntil = useFirstNewest(list.view, JSON.stringify(asked))
  const isFiltered = Object.keys(filter).length > 0
  if (person.entries === 0) return <Empty title="No transactions yet" text={NO_ENTRIES} />
  return (
    <div class={parts.part}>
      <HistoryFilters person={person} filter={filter} />
      <div class={parts.partHead}>
        <p class={base.muted}>
          {isFiltered ? 'Matching entries, newest first.' : countEntries(person.entries)}
        </p>
        <ExportButton
          path="/api/admin/people/history.csv"
          filter={asked}
          total={isFiltered ? undefined : person.entries}
        />
      </div>
      {person.archivedBefore && (
        <Notice kind="info">
          Entries before {person.archivedBefore} are archived in files, where the wallet has the id{' '}
          {person.walletId}. To list them here, restore the month with coffer archive restore.
        </Notice>
      )}
      <List
        list={list}
        label="History"
        columns={COLUMNS}
        isFiltered={isFiltered}
        empty={!person.archivedBefore && <Empty title="No transactions yet" text={NO_ENTRIES} />}
        renderRow={(entry) => (
          <PersonEntry
            key={entry.key}
            entry={entry}
            columnCount={COLUMNS.length}
            isNew={seenUntil !== undefined && entry.createdAt > seenUntil}
            renderAction={() => (
              <RefundDebit class={styles.entryAction} {...{ entry, person, reload, onDone }} />
            )}
          />
        )}
      />
    </div>
  )
}

/** When the newest entry of the first response was made; later ones are new. */
function useFirstNewest({ rows, status }: ReturnType<typeof useEntries>['view'], key: string) {
  const known = useRef<{ key: string; at: string }>(undefined)
  if (rows && status === 'ready' && known.current?.key !== key) {
    known.current = { key, at: rows[0]?.createdAt ?? '' }
  }
  return known.current?.key === key ? known.current.at : undefined
}

/** New entries change the count, so the list is read again. */
function useEntries(asked: HistoryFilter, entries: number) {
  const { call } = usePage()
  const key = JSON.stringify([asked, entries])
  const current = useRef(key)
  current.current = key
  useEffect(() => () => void (current.current = ''), [])
  return useList(key, async (cursor) => {
    const result = await readParts(
      (next) => call('GET /api/admin/people/history', { ...asked, cursor: next }),
      cursor,
      {
        isEmpty: ({ transactions }) => transactions.length === 0,
        isWanted: () => current.current === key,
        partsMax: PARTS_MAX,
      },
    )
    return toListed(result, ({ transactions }) =>
      transactions.map((entry) => ({ ...entry, key: entry.id })),
    )
  })
}

interface HistoryFiltersProps {
  person: Person
  filter: Omit<HistoryFilter, 'id'>
}

function HistoryFilters({ person, filter }: HistoryFiltersProps) {
  const apps = new Map(person.apps.map(({ clientId, name }) => [clientId, name]))
  return (
    <Filters current={filter} searchHint="Description, app, reference or ID">
      <SelectField
        name="type"
        label="Direction"
        value={filter.type ?? ''}
        options={[
          ['', 'Any direction'],
          ...TYPES.map((each) => [each, OPERATION_TYPES[each]] as const),
        ]}
      />
      <SelectField
        name="kind"
        label="Kind"
        value={filter.kind ?? ''}
        options={[['', 'Any kind'], ...KINDS.map((each) => [each, OPERATION_KINDS[each]] as const)]}
      />
      {apps.size > 0 && (
        <SelectField
          name="clientId"
          label="Client app"
          value={filter.clientId ?? ''}
          options={[['', 'Any client app'], ...apps]}
        />
      )}
      <DayField name="from" value={filter.from} />
      <DayField name="to" value={filter.to} />
    </Filters>
  )
}

function countEntries(count: number): string {
  return count === 1 ? '1 entry.' : `${count.toLocaleString('en')} entries, newest first.`
}
