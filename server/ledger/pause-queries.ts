import type { Statement } from '../database/statement.ts'
import type { Pause } from './types.ts'

interface PauseRow {
  paused_at: Date | null
  paused_by: string | null
  reason: string | null
}

export const READ_PAUSE: Statement<Pause | null> = {
  name: 'read-pause',
  text: 'select paused_at, paused_by, reason from ledger.pause',
  read: toPause,
}

/**
 * Returns the previous state. If two of these run at the same time, the second returns the state that the first one
 * set.
 */
export function setPause(pause: { by: string; reason: string } | null): Statement<Pause | null> {
  return {
    text: `with was as (select only_row, paused_at, paused_by, reason from ledger.pause for update)
      update ledger.pause p
      set paused_at = case when $1::text is null then null else now() end, paused_by = $1, reason = $2
      from was where p.only_row = was.only_row returning was.paused_at, was.paused_by, was.reason`,
    values: [pause?.by ?? null, pause?.reason ?? null],
    read: toPause,
  }
}

function toPause({ paused_at: at, paused_by: by, reason }: PauseRow): Pause | null {
  return at && by && reason ? { at, by, reason } : null
}
