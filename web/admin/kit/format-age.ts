const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "3 hours": in the largest unit that fits, and at least a minute. */
export function formatAge(isoTimestamp: string, now: Date): string {
  const ageMs = Math.max(now.getTime() - Date.parse(isoTimestamp), 60_000)
  const [unit, unitMs] = UNITS.find(([, ms]) => ageMs >= ms) ?? UNITS[2]
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(ageMs / unitMs))
}
