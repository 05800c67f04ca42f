/** The recent operations of all wallets, with filters. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import type { ListedOperation, OperationFilter, OperationPage } from '../calls.ts'
import { SERVICE } from '../kit/operation-form.tsx'
import { onlyGiven, toMinute } from '../kit/filters.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/links.tsx'
import { readParts } from '../kit/read-parts.ts'
import { RecentFilters, toMinimum } from './recent-filters.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-time.ts'
import { toListed, useList } from '../kit/use-read.ts'
import { OPERATION_KINDS } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './operations.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'Operation' },
  { name: 'Client app', isMinor: true },
  { name: 'Person', isMinor: true },
  { name: 'Reference', isLeast: true },
  { name: 'Amount', isNumber: true },
]
const TYPES = ['credit', 'debit'] as const
const KINDS = Object.keys(OPERATION_KINDS) as (keyof typeof OPERATION_KINDS)[]
/** A rare match is searched for some seconds; then the operator decides. */
const PARTS_MAX = 20

/** Reads the filter from the URL, which can contain anything. */
function readFilter(parameters: Record<string, string>, currency: string): OperationFilter {
  const { client, direction, kind, min, reference, from, to } = parameters
  return onlyGiven<OperationFilter>({
    clientId: /^app_[0-9a-f]{24}$/.test(client ?? '') ? client : undefined,
    type: TYPES.find((each) => each === direction),
    kind: KINDS.find((each) => each === kind),
    minAmount: toMinimum(min, currency),
    referenceId: reference?.slice(0, 255),
    from: toMinute(from),
    to: toMinute(to),
  })
}

export function RecentOperations({ parameters }: { parameters: Record<string, string> }) {
  const { data } = usePage()
  const filter = useMemo(() => readFilter(parameters, data.currency), [parameters])
  const { list, end } = useOperations(filter)
  const { rows, cursor, status } = list.view
  const isReady = status === 'ready'
  const isEmpty = rows?.length === 0
  const searched = end?.searchedFrom ? formatUtc(end.searchedFrom) : undefined
  const isShort = rows?.at(-1)?.createdAt !== end?.searchedFrom
  return (
    <section class={parts.part}>
      <h2>Recent operations</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        Every movement of money in all wallets, newest first. Refused requests are not included.
      </p>
      <RecentFilters filter={filter} min={parameters['min']} />
      <List
        list={list}
        label="Recent operations"
        columns={COLUMNS}
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty
            title="No operations yet"
            text="Every top-up, debit and credit will appear here."
          />
        }
        noneYet={searched && describeSearch(searched, filter.to && formatUtc(`${filter.to}Z`))}
        moreText={isEmpty ? 'Search older operations' : undefined}
        renderRow={(operation) => <OperationRow key={operation.key} operation={operation} />}
      />
      {isReady && !isEmpty && isShort && cursor !== null && searched && (
        <p class={base.muted}>Searched back to {searched} UTC.</p>
      )}
      {isReady && end?.archivedBefore && (
        <Notice kind="info">
          Operations before {end.archivedBefore.slice(0, 10)} are archived in files. To list them
          here, restore the month with coffer archive restore.
        </Notice>
      )}
    </section>
  )
}

function useOperations(filter: OperationFilter) {
  const { call } = usePage()
  const [end, setEnd] = useState<Pick<OperationPage, 'searchedFrom' | 'archivedBefore'>>()
  const key = JSON.stringify(filter)
  const current = useRef(key)
  current.current = key
  useEffect(() => () => void (current.current = ''), [])
  const list = useList(key, async (cursor) => {
    const isWanted = () => current.current === key
    const result = await readParts(
      (next) => call('GET /api/admin/operations/recent', { ...filter, cursor: next }),
      cursor,
      { isEmpty: ({ operations }) => operations.length === 0, isWanted, partsMax: PARTS_MAX },
    )
    if (result.ok && isWanted()) setEnd(result.data)
    return toListed(result, ({ operations }) =>
      operations.map((operation) => ({ ...operation, key: operation.id })),
    )
  })
  return { list, end }
}

function OperationRow({ operation }: { operation: ListedOperation }) {
  const { id, kind, createdAt, clientApp, person, referenceType, referenceId } = operation
  const path = paths.operation(clientApp?.clientId ?? SERVICE, referenceType, referenceId)
  return (
    <tr data-row={id}>
      <th scope="row">
        <Link to={path}>{OPERATION_KINDS[kind]}</Link>
        <span class={`${table.rowSecond} ${styles.narrow}`} dir="auto">
          <PersonLink person={person} />
          {clientApp && ` · ${clientApp.name}`}
        </span>
        <time class={`${table.rowSecond} ${base.muted}`} dateTime={createdAt}>
          {formatUtc(createdAt)} UTC
        </time>
      </th>
      <td class={table.minor}>
        {clientApp ? (
          <span class={table.cut} dir="auto">
            {clientApp.name}
          </span>
        ) : (
          <span class={base.muted}>The service itself</span>
        )}
      </td>
      <td class={table.minor}>
        <span class={table.cut} dir="auto">
          <PersonLink person={person} />
        </span>
      </td>
      <td class={table.least}>
        <code class={table.cut} title={referenceId}>
          {referenceId}
        </code>
        <span class={`${table.rowSecond} ${base.muted}`}>{referenceType}</span>
      </td>
      <AmountCell operation={operation} />
    </tr>
  )
}

function AmountCell({ operation }: { operation: ListedOperation }) {
  const { money, data } = usePage()
  const { type, amount, debtChange } = operation
  const isCredit = type === 'credit'
  const debt = money.plain(Math.abs(debtChange), data.currency)
  return (
    <td class={isCredit ? `${table.number} ${styles.amountIn}` : table.number}>
      {money.signed(isCredit ? amount : -amount, data.currency)}
      {debtChange !== 0 && (
        <span class={`${table.rowSecond} ${base.muted}`}>
          {debtChange > 0 ? `${debt} became a debt` : `${debt} paid off a debt`}
        </span>
      )}
    </td>
  )
}

function describeSearch(from: string, to: string | undefined): string {
  return to === undefined
    ? `Nothing matches since ${from} UTC.`
    : `Nothing matches between ${from} and ${to} UTC.`
}
