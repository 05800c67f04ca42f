import type { Transaction } from '@coffer/contract/shapes'
import { CardIcon, GiftIcon, IncomingIcon, OutgoingIcon } from '../../ui/icons.tsx'
import { nameTransaction } from './name-transaction.ts'
import { usePage } from '../page-context.ts'

export function TransactionList({ transactions }: { transactions: Transaction[] }) {
  const { words, data } = usePage()
  return (
    <section class="activity">
      <h2 class="muted">{words.wallet.activity}</h2>
      {transactions.length > 0 ? (
        <ul>
          {transactions.map((transaction) => (
            <Entry key={transaction.id} transaction={transaction} />
          ))}
        </ul>
      ) : (
        <div class="activity-empty">
          <p>{words.wallet.emptyTitle}</p>
          <p class="muted">{words.wallet.empty(data.appName)}</p>
        </div>
      )}
    </section>
  )
}

function Entry({ transaction }: { transaction: Transaction }) {
  const { words, money, date } = usePage()
  const { type, amount, currency, createdAt } = transaction
  const isCredit = type === 'credit'
  return (
    <li class={`entry entry-${type}`}>
      <span class="entry-icon">
        <EntryIcon transaction={transaction} />
      </span>
      <div class="entry-body">
        <div class="entry-text">
          <p class="entry-name" dir="auto">
            {nameTransaction(transaction, words)}
          </p>
          <p class="entry-time muted">
            <time dateTime={createdAt}>{date(createdAt)}</time>
          </p>
        </div>
        <p class="entry-amount">
          <span class="visually-hidden">
            {isCredit ? words.wallet.received : words.wallet.paid}{' '}
          </span>
          {money.signed(isCredit ? amount : -amount, currency)}
        </p>
      </div>
    </li>
  )
}

function EntryIcon({ transaction: { type, source } }: { transaction: Transaction }) {
  if (source === 'topup' && type === 'credit') return <CardIcon />
  if (source === 'bonus') return <GiftIcon />
  return type === 'credit' ? <IncomingIcon /> : <OutgoingIcon />
}
