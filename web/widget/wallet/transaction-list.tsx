import type { Transaction } from '@coffer/contract/shapes'
import { CardIcon, GiftIcon, IncomingIcon, OutgoingIcon } from '../../ui/icons.tsx'
import { nameTransaction } from './name-transaction.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './wallet.module.css'

export function TransactionList({ transactions }: { transactions: Transaction[] }) {
  const { messages, data } = usePage()
  return (
    <section class={styles.activity}>
      <h2 class={base.muted}>{messages.wallet.activity}</h2>
      {transactions.length > 0 ? (
        <ul>
          {transactions.map((transaction) => (
            <Entry key={transaction.id} transaction={transaction} />
          ))}
        </ul>
      ) : (
        <div class={styles.activityEmpty}>
          <p>{messages.wallet.emptyTitle}</p>
          <p class={base.muted}>{messages.wallet.empty(data.appName)}</p>
        </div>
      )}
    </section>
  )
}

function Entry({ transaction }: { transaction: Transaction }) {
  const { messages, money, date } = usePage()
  const { type, amount, currency, createdAt } = transaction
  const isCredit = type === 'credit'
  return (
    <li class={isCredit ? `${styles.entry} ${styles.entryCredit}` : styles.entry}>
      <span class={styles.entryIcon}>
        <EntryIcon transaction={transaction} />
      </span>
      <div class={styles.entryBody}>
        <div class={styles.entryText}>
          <p class={styles.entryName} dir="auto">
            {nameTransaction(transaction, messages)}
          </p>
          <p class={`${styles.entryTime} ${base.muted}`}>
            <time dateTime={createdAt}>{date(createdAt)}</time>
          </p>
        </div>
        <p class={styles.entryAmount}>
          <span class={base.visuallyHidden}>
            {isCredit ? messages.wallet.received : messages.wallet.paid}{' '}
          </span>
          {money.signed(isCredit ? amount : -amount, currency)}
        </p>
      </div>
    </li>
  )
}

function EntryIcon({ transaction: { type, source } }: { transaction: Transaction }) {
  if (source === 'bonus') return <GiftIcon />
  if (type !== 'credit') return <OutgoingIcon />
  return source === 'topup' ? <CardIcon /> : <IncomingIcon />
}
