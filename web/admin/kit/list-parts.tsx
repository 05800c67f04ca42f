/** Parts of every list: rows, placeholder, empty state, error and “Show more”. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { useList } from './use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from './parts.module.css'
import * as table from './table.module.css'

export interface Column {
  name: string
  /** Hidden in narrow windows. */
  isMinor?: boolean
  /** Hidden in windows that are wide enough for the minor columns. */
  isLeast?: boolean
  isNumber?: boolean
  /** Shown to screen readers only. */
  isVisuallyHidden?: boolean
}

export function classOf({ isMinor, isLeast, isNumber }: Column): string | undefined {
  return (
    [isMinor && table.minor, isLeast && table.least, isNumber && table.number]
      .filter(Boolean)
      .join(' ') || undefined
  )
}

interface TableProps {
  label: string
  columns: readonly Column[]
  /** In a narrow window, each cell is a line of its own, so that the table is not scrolled sideways. */
  isStacked?: boolean | undefined
  children: ComponentChildren
}

export function Table({ label, columns, isStacked, children }: TableProps) {
  const [box, isWide] = useIsWide()
  // Only an element with the focus can be scrolled by keyboard.
  const scrolling = isWide ? ({ tabIndex: 0, role: 'region', 'aria-label': label } as const) : {}
  return (
    <div class={isStacked ? `${table.box} ${table.stacked}` : table.box} ref={box} {...scrolling}>
      <table>
        <caption class={base.visuallyHidden}>{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                <span class={column.isVisuallyHidden ? base.visuallyHidden : undefined}>
                  {column.name}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Whether the content of an element overflows. */
function useIsWide() {
  const ref = useRef<HTMLDivElement>(null)
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const observer = new ResizeObserver(() => setIsWide(box.scrollWidth > box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return [ref, isWide] as const
}

/** Has as many cells as the rows will have, so that nothing moves when they appear. */
export function RowPlaceholders({ columns }: { columns: readonly Column[] }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {columns.map((column, at) => (
        <td key={column.name} class={classOf(column)}>
          {at === 0 ? (
            <TextPlaceholder length={18 - (row % 4) * 2} />
          ) : (
            <TextPlaceholder length={7} />
          )}
        </td>
      ))}
    </tr>
  ))
}

interface ListProps<Row extends { key: string }> {
  list: ReturnType<typeof useList<Row>>
  label: string
  columns: readonly Column[]
  isFiltered: boolean
  isStacked?: boolean
  empty: ComponentChildren
  /** If nothing matches so far: what was searched. */
  noneYet?: string | undefined
  /** The label of the button that reads the next page. */
  moreText?: string | undefined
  renderRow: (row: Row) => ComponentChildren
}

export function List<Row extends { key: string }>(props: ListProps<Row>) {
  const { view, retry, readMore } = props.list
  const { rows, cursor, status } = view
  const [isBusy, more] = useBusy(async () => {
    const first = await readMore()
    // The button moves down, so the first new row gets the focus.
    const selector = `[data-row="${first?.key}"] :is(a, button)`
    if (first) requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
  })
  const isReading = status === 'reading' && !isBusy
  const count = rows?.length ?? 0
  return (
    <div class={table.results} aria-busy={isReading}>
      <p class={base.visuallyHidden} role="status">
        {rows && !isReading ? countRows(count, cursor !== null) : ''}
      </p>
      {status === 'failed' && <ReadFailed retry={retry} />}
      {rows === null && status === 'reading' && (
        <Table label="Loading …" columns={props.columns} isStacked={props.isStacked}>
          <RowPlaceholders columns={props.columns} />
        </Table>
      )}
      {rows && count > 0 && (
        <Table label={props.label} columns={props.columns} isStacked={props.isStacked}>
          {rows.map(props.renderRow)}
        </Table>
      )}
      {rows &&
        count === 0 &&
        !isReading &&
        (props.isFiltered || cursor !== null ? (
          <NoResults hasMore={cursor !== null} noneYet={props.noneYet} />
        ) : (
          props.empty
        ))}
      {cursor !== null && (
        <Button kind="secondary" isBusy={isBusy} onClick={more}>
          {props.moreText ?? 'Show more'}
        </Button>
      )}
    </div>
  )
}

export function ReadFailed({ retry }: { retry: () => Promise<void> }) {
  const [isBusy, run] = useBusy(retry)
  return (
    <Notice kind="danger">
      This could not be loaded.{' '}
      <TextButton isBusy={isBusy} onClick={run}>
        Try again
      </TextButton>
    </Notice>
  )
}

export function NoResults({
  hasMore,
  noneYet = 'Not everything has been searched yet. Select “Show more” to continue.',
}: {
  hasMore: boolean
  noneYet?: string | undefined
}) {
  return (
    <Empty title="No results" text={hasMore ? noneYet : 'Try another search or fewer filters.'} />
  )
}

interface EmptyProps {
  title: string
  text: string
  children?: ComponentChildren
}

export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class={parts.empty}>
      <p class={parts.emptyTitle}>{title}</p>
      <p class={base.muted}>{text}</p>
      {children}
    </div>
  )
}

export function countRows(count: number, hasMore: boolean): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}${hasMore ? ', more available' : ''}.`
}
