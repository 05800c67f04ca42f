/** Entries of the wallet by day; the details of each can be opened. */
import type { ComponentChildren } from 'preact'
import { CardIcon, GiftIcon, IncomingIcon, OutgoingIcon } from '../../ui/icons.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Entry } from '../calls.ts'
import { ChevronIcon } from '../icons.tsx'
import { nameEntry } from './name-entry.ts'
import { usePage } from '../page-context.ts'

export function EntryList({ entries }: { entries: readonly Entry[] }) {
  const { day } = usePage()
  return (
    <div class="days">
      {groupByDay(entries, day.day).map(([name, group]) => (
        <section key={group[0]?.id}>
          <h2 class="day muted">{name}</h2>
          <ul class="entries">
            {group.map((entry) => (
              <li key={entry.id}>
                <details class="entry-details">
                  <summary id={entry.id}>
                    <EntryRow entry={entry} when={day.time(entry.createdAt)}>
                      <ChevronIcon />
                    </EntryRow>
                  </summary>
                  <Particulars entry={entry} />
                </details>
              </li>
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

interface EntryRowProps {
  entry: Entry
  when: string
  children?: ComponentChildren
}

export function EntryRow({ entry, when, children }: EntryRowProps) {
  const { words, money } = usePage()
  const { type, amount, currency, app, createdAt } = entry
  const isCredit = type === 'credit'
  return (
    <span class={`entry entry-${type}`}>
      <span class="entry-icon">
        <EntryIcon entry={entry} />
      </span>
      <span class="entry-body">
        <span class="entry-name" dir="auto">
          {nameEntry(entry, words)}
        </span>
        <span class="entry-amount">
          <span class="visually-hidden">
            {isCredit ? words.history.received : words.history.paid}{' '}
          </span>
          {money.signed(isCredit ? amount : -amount, currency)}
        </span>
        <span class="entry-meta muted">
          {app !== null && <span dir="auto">{app} · </span>}
          <time dateTime={createdAt}>{when}</time>
        </span>
      </span>
      {children}
    </span>
  )
}

function EntryIcon({ entry: { type, source } }: { entry: Entry }) {
  if (source === 'topup') return <CardIcon />
  if (source === 'bonus') return <GiftIcon />
  return type === 'credit' ? <IncomingIcon /> : <OutgoingIcon />
}

function Particulars({ entry }: { entry: Entry }) {
  const { words, money } = usePage()
  const names = words.history.details
  const time = new Intl.DateTimeFormat(words.lang, { dateStyle: 'long', timeStyle: 'medium' })
  const rows: [string, string | null][] = [
    [names.time, time.format(new Date(entry.createdAt))],
    [names.app, entry.app],
    [names.description, entry.description],
    [names.referenceType, entry.referenceType],
    [names.reference, entry.referenceId],
    [names.balanceAfter, money.plain(entry.balanceAfter, entry.currency)],
    [names.id, entry.id],
  ]
  return (
    <dl class="particulars">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt class="muted">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function EntryPlaceholders({ count }: { count: number }) {
  return (
    <div class="entries" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div class="entry" key={at}>
          <span class="entry-icon placeholder" />
          <span class="entry-body">
            <span class="entry-name">
              <TextPlaceholder length={11 + ((at * 5) % 9)} />
            </span>
            <span class="entry-amount">
              <TextPlaceholder length={6} />
            </span>
            <span class="entry-meta">
              <TextPlaceholder length={14} />
            </span>
          </span>
        </div>
      ))}
    </div>
  )
}
