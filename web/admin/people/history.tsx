import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import type { HistoryFilter, Person } from '../calls.ts'
import { ExportButton } from '../kit/export-button.tsx'
import { DayField, Filters, onlyGiven, toDay } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { PersonEntry } from './entry.tsx'
import { GiveBack } from '../kit/give-back.tsx'
import { readParts } from '../kit/read-parts.ts'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

const texts = words.history
const { columns } = texts
const COLUMNS: readonly Column[] = [
  { name: columns.time },
  { name: columns.what },
  { name: columns.reference, isMinor: true },
  { name: columns.amount, isNumber: true },
  { name: columns.balanceAfter, isNumber: true, isLeast: true },
]
const TYPES = ['credit', 'debit'] as const
const KINDS = Object.keys(texts.kinds) as (keyof typeof texts.kinds)[]
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
  if (person.entries === 0) return <Empty title={texts.emptyTitle} text={texts.empty} />
  return (
    <div class={parts.part}>
      <HistoryFilters person={person} filter={filter} />
      <div class={parts.partHead}>
        <p class={base.muted}>{isFiltered ? texts.leadFiltered : texts.lead(person.entries)}</p>
        <ExportButton
          path="/api/admin/people/history.csv"
          filter={asked}
          total={isFiltered ? undefined : person.entries}
        />
      </div>
      {person.archivedBefore && (
        <Notice kind="info">{texts.archived(person.archivedBefore, person.walletId)}</Notice>
      )}
      <List
        list={list}
        label={words.person.tabs.history}
        columns={COLUMNS}
        isFiltered={isFiltered}
        empty={!person.archivedBefore && <Empty title={texts.emptyTitle} text={texts.empty} />}
        renderRow={(entry) => (
          <PersonEntry
            key={entry.key}
            entry={entry}
            columnCount={COLUMNS.length}
            isNew={seenUntil !== undefined && entry.createdAt > seenUntil}
            renderAction={() => (
              <GiveBack class={styles.entryAction} {...{ entry, person, reload, onDone }} />
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
    <Filters current={filter} searchHint={texts.searchHint}>
      <SelectField
        name="type"
        label={texts.type}
        value={filter.type ?? ''}
        options={[['', texts.anyType], ...TYPES.map((each) => [each, texts.types[each]] as const)]}
      />
      <SelectField
        name="kind"
        label={texts.kind}
        value={filter.kind ?? ''}
        options={[['', texts.anyKind], ...KINDS.map((each) => [each, texts.kinds[each]] as const)]}
      />
      {apps.size > 0 && (
        <SelectField
          name="clientId"
          label={texts.app}
          value={filter.clientId ?? ''}
          options={[['', texts.anyApp], ...apps]}
        />
      )}
      <DayField name="from" value={filter.from} />
      <DayField name="to" value={filter.to} />
    </Filters>
  )
}
