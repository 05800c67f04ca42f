/** When a session is exchanged for a new one. */

const LIFETIME_MS = 5 * 60_000
/** How long before its end a session is renewed. */
export const MARGIN_MS = 30_000
/** The delays before repeated renewals of sessions that end immediately. After the last one, the user has to retry. */
const DELAYS_MS = [0, 1_000, 4_000]
/** A session that lasted longer than this resets the count of renewals. */
const STABLE_MS = 60_000

/** In this browser's time. Its clock may be wrong by hours, so the reported end is used only within limits. */
export function renewalTime(expiresAt: string, now: number): number {
  const endsAt = new Date(expiresAt).getTime()
  const leftMs = Number.isNaN(endsAt) ? LIFETIME_MS : Math.min(endsAt - now, LIFETIME_MS)
  return now + Math.max(leftMs - MARGIN_MS, MARGIN_MS)
}

/** Returns undefined after the maximum number of consecutive renewals. */
export function delayBefore(renewals: number): number | undefined {
  return DELAYS_MS[renewals]
}

export function wasStable(loadedAt: number | undefined, now: number): boolean {
  return now - (loadedAt ?? now) > STABLE_MS
}
