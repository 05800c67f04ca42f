import { useEffect, useRef, useState } from 'preact/hooks'
import type { Call, StatementOfMonth } from '../calls.ts'

/** unavailable: there is none for this month. */
export type StatementView = StatementOfMonth | 'reading' | 'unavailable' | 'failed'

export function useStatement(
  call: Call,
  month: string,
  timeZone: string,
): { view: StatementView; retry: () => Promise<void> } {
  const [view, setView] = useState<StatementView>('reading')
  const latest = useRef(0)

  /** Responses to outdated requests are dropped. */
  async function read() {
    const request = ++latest.current
    setView('reading')
    const result = await call('GET /api/account/statement', { month, timeZone })
    if (request !== latest.current) return
    if (result.ok) setView(result.data)
    else setView(!result.offline && result.code === 'INVALID_REQUEST' ? 'unavailable' : 'failed')
  }

  useEffect(() => void read(), [month, timeZone])

  return { view, retry: read }
}
