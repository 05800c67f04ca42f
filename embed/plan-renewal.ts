/** When a session is exchanged for a new one. */

const LIFETIME_MS = 5 * 60_000
/** How long before its end a session is renewed. */
export const MARGIN_MS = 30_000
/** The waits before repeated renewals of sessions that do not live; then it is the person's turn. */
const PAUSES_MS = [0, 1_000, 4_000]
/** What has lived for this long was a good session. */
const GOOD_MS = 60_000

/** In this browser's time. Its clock may be wrong by hours, so the reported end is used only within limits. */
export function renewalTime(expiresAt: string, now: number): number {
  const endsAt = new Date(expiresAt).getTime()
  const leftMs = Number.isNaN(endsAt) ? LIFETIME_MS : Math.min(endsAt - now, LIFETIME_MS)
  return now + Math.max(leftMs - MARGIN_MS, MARGIN_MS)
}

/** Undefined: often enough in a row. */
export function pauseBefore(renewals: number): number | undefined {
  return PAUSES_MS[renewals]
}

export function wasGood(loadedAt: number | undefined, now: number): boolean {
  return now - (loadedAt ?? now) > GOOD_MS
}
