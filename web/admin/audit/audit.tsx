import { useMemo } from 'preact/hooks'
import { AuditRow } from './row.tsx'
import type { AuditFilter } from '../calls.ts'
import { ExportButton } from '../kit/export-button.tsx'
import { DayField, Filters, onlyGiven, toDay } from '../kit/filters.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { toListed, useList } from '../kit/use-read.ts'
import * as parts from '../kit/parts.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'Time (UTC)' },
  { name: 'Action' },
  { name: 'Subject' },
  { name: 'Actor' },
  { name: 'Address', isLeast: true },
]

function readFilter({ search, from, to }: Record<string, string>): AuditFilter {
  return onlyGiven<AuditFilter>({ search: search?.slice(0, 100), from: toDay(from), to: toDay(to) })
}

export function Audit({ parameters }: { parameters: Record<string, string> }) {
  const { call } = usePage()
  const filter = useMemo(() => readFilter(parameters), [parameters])
  const list = useList(JSON.stringify(filter), async (cursor) =>
    toListed(await call('GET /api/admin/audit', { ...filter, cursor }), ({ entries }) =>
      entries.map((entry) => ({ ...entry, key: entry.id })),
    ),
  )
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Audit log
        </h1>
        <ExportButton path="/api/admin/audit.csv" filter={filter} />
      </div>
      <Filters current={filter} searchHint="Actor, action or subject">
        <DayField name="from" value={filter.from} />
        <DayField name="to" value={filter.to} />
      </Filters>
      <List
        list={list}
        label="Audit log"
        columns={COLUMNS}
        isStacked
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty
            title="No entries yet"
            text="Every action of an operator will appear here, with the values before and after."
          />
        }
        renderRow={(entry) => (
          <AuditRow key={entry.key} entry={entry} columnCount={COLUMNS.length} />
        )}
      />
    </div>
  )
}
