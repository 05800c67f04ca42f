import type { Entry } from '../calls.ts'
import { nameEntry } from '../history/name-entry.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './statement.module.css'

/** Oldest first. On paper, every page begins with the names of the columns. */
export function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const { messages } = usePage()
  const { date, details, amount, balance, title } = messages.statement
  return (
    <table class={styles.table}>
      <caption class={base.visuallyHidden}>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{date}</th>
          <th scope="col">{details}</th>
          <th class={styles.amount} scope="col">
            {amount}
          </th>
          <th class={`${styles.amount} ${styles.balance}`} scope="col">
            {balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function EntryLine({ entry }: { entry: Entry }) {
  const { messages, money, day } = usePage()
  const { type, amount, balanceAfter, currency, app, createdAt } = entry
  return (
    <tr>
      <td class={styles.date}>
        <time dateTime={createdAt}>{day.date(createdAt)}</time>
      </td>
      <td>
        <span class={styles.name} dir="auto">
          {nameEntry(entry, messages)}
        </span>
        {app !== null && (
          <span class={base.muted} dir="auto">
            {app}
          </span>
        )}
      </td>
      <td class={styles.amount}>{money.signed(type === 'credit' ? amount : -amount, currency)}</td>
      <td class={`${styles.amount} ${styles.balance}`}>{money.plain(balanceAfter, currency)}</td>
    </tr>
  )
}
