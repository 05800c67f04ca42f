/** The entries that match a filter, page by page. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Call, Entry, HistoryFilter } from '../calls.ts'
import { withTimeZone } from './filter.ts'

export interface HistoryView {
  /** null until the first response. */
  entries: Entry[] | null
  cursor: string | null
  archivedBefore: string | null
  status: 'reading' | 'ready' | 'failed'
}

export function useHistory(call: Call, filter: HistoryFilter) {
  const [view, setView] = useState<HistoryView>({
    entries: null,
    cursor: null,
    archivedBefore: null,
    status: 'reading',
  })
  const latest = useRef(0)

  /** Responses to outdated requests are dropped. */
  async function read(known: Entry[], cursor?: string): Promise<Entry | undefined> {
    const request = ++latest.current
    setView((now) => ({ ...now, status: 'reading' }))
    const result = await call('GET /api/account/history', { ...withTimeZone(filter), cursor })
    if (request !== latest.current) return undefined
    if (!result.ok) {
      setView((now) => ({ ...now, status: 'failed' }))
      return undefined
    }
    const { transactions, nextCursor, archivedBefore } = result.data
    const entries = [...known, ...transactions]
    setView({ entries, cursor: nextCursor, archivedBefore, status: 'ready' })
    return transactions[0]
  }

  useEffect(() => void read([]), [JSON.stringify(filter)])

  return {
    view,
    retry: async () => void (await read([])),
    /** Returns the first entry that is new. */
    readMore: () => read(view.entries ?? [], view.cursor ?? undefined),
  }
}
