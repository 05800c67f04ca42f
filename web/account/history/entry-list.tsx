/** Entries of the wallet by day; the details of each can be opened. */
import { CardIcon, GiftIcon, IncomingIcon, OutgoingIcon } from '../../ui/icons.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Entry } from '../calls.ts'
import { ChevronIcon } from '../icons.tsx'
import { nameEntry } from './name-entry.ts'
import { EntryDetails } from './entry-details.tsx'
import { usePage } from '../page-context.ts'
import { Notice } from '../../ui/notice.tsx'
import * as base from '../../ui/base.module.css'
import * as placeholder from '../../ui/placeholder.module.css'
import * as styles from './entries.module.css'

export function EntryList({ entries }: { entries: readonly Entry[] }) {
  const { day } = usePage()
  return (
    <div class={styles.days}>
      {groupByDay(entries, day.day).map(([name, group]) => (
        <section key={group[0]?.id}>
          <h2 class={`${styles.day} ${base.muted}`}>{name}</h2>
          <ul class={styles.entries}>
            {group.map((entry) => (
              <EntryItem key={entry.id} entry={entry} when={day.time(entry.createdAt)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function groupByDay(
  entries: readonly Entry[],
  nameDay: (isoTimestamp: string) => string,
): [string, Entry[]][] {
  const groups: [string, Entry[]][] = []
  for (const entry of entries) {
    const name = nameDay(entry.createdAt)
    const last = groups.at(-1)
    if (last?.[0] === name) last[1].push(entry)
    else groups.push([name, [entry]])
  }
  return groups
}

interface EntryItemProps {
  entry: Entry
  when: string
}

export function EntryItem({ entry, when }: EntryItemProps) {
  return (
    <li>
      <details class={styles.entryDetails}>
        <summary id={entry.id}>
          <EntryRow entry={entry} when={when} />
        </summary>
        <EntryDetails entry={entry} />
      </details>
    </li>
  )
}

function EntryRow({ entry, when }: EntryItemProps) {
  const { messages, money } = usePage()
  const { type, amount, currency, app, createdAt } = entry
  const isCredit = type === 'credit'
  return (
    <span class={type === 'credit' ? `${styles.entry} ${styles.entryCredit}` : styles.entry}>
      <span class={styles.entryIcon}>
        <EntryIcon entry={entry} />
      </span>
      <span class={styles.entryBody}>
        <span class={styles.entryName} dir="auto">
          {nameEntry(entry, messages)}
        </span>
        <span class={styles.entryAmount}>
          <span class={base.visuallyHidden}>
            {isCredit ? messages.history.received : messages.history.paid}{' '}
          </span>
          {money.signed(isCredit ? amount : -amount, currency)}
        </span>
        <span class={`${styles.entryMeta} ${base.muted}`}>
          {app !== null && <span dir="auto">{app} · </span>}
          <time dateTime={createdAt}>{when}</time>
        </span>
      </span>
      <ChevronIcon />
    </span>
  )
}

function EntryIcon({ entry: { type, source } }: { entry: Entry }) {
  if (source === 'topup') return <CardIcon />
  if (source === 'bonus') return <GiftIcon />
  return type === 'credit' ? <IncomingIcon /> : <OutgoingIcon />
}

export function EntryPlaceholders({ count }: { count: number }) {
  return (
    <div class={styles.entries} aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div class={styles.entry} key={at}>
          <span class={`${styles.entryIcon} ${placeholder.placeholder}`} />
          <span class={styles.entryBody}>
            <span class={styles.entryName}>
              <TextPlaceholder length={11 + ((at * 5) % 9)} />
            </span>
            <span class={styles.entryAmount}>
              <TextPlaceholder length={6} />
            </span>
            <span class={styles.entryMeta}>
              <TextPlaceholder length={14} />
            </span>
          </span>
        </div>
      ))}
    </div>
  )
}

export function Archived({ before }: { before: string }) {
  const { messages, day } = usePage()
  return <Notice kind="info">{messages.history.archived(day.date(before))}</Notice>
}
