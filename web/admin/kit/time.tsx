import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'

const DAY = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

interface TimeProps {
  at: string | null
  /** Shows only the day. */
  isDay?: boolean
}

/** A relative time; the tooltip shows the exact time. */
export function Time({ at, isDay = false }: TimeProps) {
  const { date } = usePage()
  if (at === null) return <span class={base.muted}>{words.never}</span>
  return (
    <time dateTime={at} title={`${toUtc(at)} UTC`}>
      {isDay ? DAY.format(new Date(at)) : date(at)}
    </time>
  )
}

/** "2026-01-31 12:00:00", which aligns and sorts. */
export function toUtc(isoTimestamp: string): string {
  return isoTimestamp.slice(0, 19).replace('T', ' ')
}
