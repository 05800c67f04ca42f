import { useMemo } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { toQuery } from '../../ui/request.ts'
import type { DownloadPath, HistoryFilter } from '../calls.ts'
import { Archived, EntryList, EntryPlaceholders } from './entry-list.tsx'
import { readFilter, withTimeZone } from './filter.ts'
import { HistoryFilters } from './filters.tsx'
import { DownloadIcon, ListIcon } from '../../ui/icons.tsx'
import { usePage } from '../page-context.ts'
import { useHistory } from './use-history.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../parts.module.css'
import * as styles from './entries.module.css'

export function History({ parameters }: { parameters: Record<string, string> }) {
  const { messages } = usePage()
  const filter = useMemo(() => readFilter(parameters), [parameters])
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          {messages.history.title}
        </h1>
        <p class={styles.files}>
          <a class={button.textButton} href="#statement">
            <ListIcon />
            {messages.statement.open}
          </a>
          <a class={button.textButton} href={toExport(filter)} download>
            <DownloadIcon />
            {messages.history.download}
          </a>
        </p>
      </div>
      <HistoryFilters filter={filter} />
      <Results filter={filter} />
    </div>
  )
}

function Results({ filter }: { filter: HistoryFilter }) {
  const { call, messages } = usePage()
  const { view, retry, readMore } = useHistory(call, filter)
  const { entries, cursor, archivedBefore, status } = view
  const isFiltered = Object.keys(filter).length > 0
  const [isBusy, more] = useBusy(async () => {
    const first = await readMore()
    // The button moves down, so the first new entry gets the focus.
    if (first) requestAnimationFrame(() => document.getElementById(first.id)?.focus())
  })
  const isReading = status === 'reading' && !isBusy
  const count = entries?.length ?? 0
  const found =
    isFiltered && entries && !isReading ? messages.history.found(count, cursor !== null) : ''
  return (
    <div class={styles.results} aria-busy={isReading}>
      <p
        class={count > 0 && found ? `${styles.found} ${base.muted}` : base.visuallyHidden}
        role="status"
      >
        {found}
      </p>
      {status === 'failed' && <Failed retry={retry} />}
      {entries === null && status === 'reading' && <EntryPlaceholders count={6} />}
      {entries && count > 0 && <EntryList entries={entries} />}
      {entries && count === 0 && !isReading && (isFiltered || !archivedBefore) && (
        <NoResults isFiltered={isFiltered} hasMore={cursor !== null} />
      )}
      {cursor !== null && (
        <Button kind="secondary" isBusy={isBusy} onClick={more}>
          {messages.history.more}
        </Button>
      )}
      {archivedBefore && !isReading && <Archived before={archivedBefore} />}
    </div>
  )
}

function Failed({ retry }: { retry: () => Promise<void> }) {
  const { messages } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <Notice kind="danger">
      {messages.history.failed}{' '}
      <TextButton isBusy={isBusy} onClick={run}>
        {messages.retry}
      </TextButton>
    </Notice>
  )
}

function NoResults({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
  const { messages } = usePage()
  const { emptyTitle, empty, noneTitle, none, searchedPart } = messages.history
  const text = hasMore ? searchedPart : isFiltered ? none : empty
  return (
    <div class={parts.empty}>
      <p>{isFiltered ? noneTitle : emptyTitle}</p>
      <p class={base.muted}>{text}</p>
    </div>
  )
}

function toExport(filter: HistoryFilter): string {
  const path: DownloadPath = '/api/account/history.csv'
  return path + toQuery(withTimeZone(filter))
}
