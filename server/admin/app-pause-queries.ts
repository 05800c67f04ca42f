import type { Pause } from '../ledger/types.ts'

/** The columns of a client app that describe its pause. */
export const APP_PAUSE = 'paused_at, paused_by, pause_reason'

export interface AppPauseRow {
  paused_at: Date | null
  paused_by: string | null
  pause_reason: string | null
}

/** null: the app's writes are not paused. */
export function readAppPause(row: AppPauseRow): Pause | null {
  const { paused_at: at, paused_by: by, pause_reason: reason } = row
  return at && by && reason ? { at, by, reason } : null
}

export function setAppPause(clientId: string, pause: { by: string; reason: string } | null) {
  return {
    text: `update directory.client_apps
      set paused_at = case when $2::text is null then null else now() end, paused_by = $2, pause_reason = $3
      where client_id = $1`,
    values: [clientId, pause?.by ?? null, pause?.reason ?? null],
  }
}

export function showPause(pause: Pause | null) {
  return pause && { ...pause, at: pause.at.toISOString() }
}
