import { formatUtc } from './format-time.ts'
import * as base from '../../ui/base.module.css'

const DAY = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

interface TimeProps {
  at: string | null
  /** Shows only the day. */
  isDay?: boolean
  /** In a column whose name says that the times are UTC. */
  isNamed?: boolean
}

/** Operators in several time zones talk about the same time; the tooltip shows the local one. */
export function Time({ at, isDay = false, isNamed = false }: TimeProps) {
  if (at === null) return <span class={base.muted}>Never</span>
  const time = new Date(at)
  const text = isDay ? DAY.format(time) : `${formatUtc(at)}${isNamed ? '' : ' UTC'}`
  return (
    <time dateTime={at} title={LOCAL.format(time)}>
      {text}
    </time>
  )
}
