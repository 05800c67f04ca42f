import { useEffect, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Entry } from '../calls.ts'
import { EntryPlaceholders, EntryRow } from '../history/entry-list.tsx'
import { usePage } from '../page-context.ts'
import type { SectionProps } from '../section-props.ts'

const RECENT = 5

export function Overview({ account, reload }: SectionProps) {
  const { words, money } = usePage()
  const { balance, debt, currency, isActive, apps } = account
  useEffect(() => void reload(), [])
  return (
    <div class="section">
      <h1 class="section-title" tabIndex={-1} dir="auto">
        {words.overview.greeting(account.firstName)}
      </h1>
      {!isActive && (
        <Notice kind="warning">
          <strong>{words.overview.frozenTitle}</strong> {words.overview.frozen}
        </Notice>
      )}
      {debt > 0 && (
        <Notice kind="warning">
          <strong>{words.overview.debtTitle(money.plain(debt, currency))}</strong>{' '}
          {words.overview.debt}
        </Notice>
      )}
      <section class="balance">
        <h2 class="balance-label muted">{words.overview.balance}</h2>
        <p class="balance-amount">{money.plain(balance, currency)}</p>
      </section>
      <Recent />
      <section class="part">
        <div class="part-head">
          <h2>{words.overview.appsTitle}</h2>
          <a class="text-button" href="#apps">
            {words.overview.manage}
          </a>
        </div>
        <p class="muted">
          {apps.length > 0 ? words.overview.apps(apps.length) : words.overview.noApps}
        </p>
      </section>
    </div>
  )
}

function Recent() {
  const { words, calls, date } = usePage()
  const [entries, setEntries] = useState<Entry[] | 'failed' | null>(null)
  const [isBusy, read] = useBusy(async () => {
    const result = await calls.readHistory({})
    setEntries(result.ok ? result.data.transactions.slice(0, RECENT) : 'failed')
  })
  useEffect(read, [])
  return (
    <section class="part">
      <div class="part-head">
        <h2>{words.overview.recent}</h2>
        {Array.isArray(entries) && entries.length > 0 && (
          <a class="text-button" href="#history">
            {words.overview.all}
          </a>
        )}
      </div>
      {entries === null && <EntryPlaceholders count={3} />}
      {entries === 'failed' && (
        <Notice kind="info">
          {words.history.failed}{' '}
          <TextButton isBusy={isBusy} onClick={read}>
            {words.retry}
          </TextButton>
        </Notice>
      )}
      {Array.isArray(entries) && entries.length === 0 && (
        <div class="empty">
          <p>{words.history.emptyTitle}</p>
          <p class="muted">{words.history.empty}</p>
        </div>
      )}
      {Array.isArray(entries) && entries.length > 0 && (
        <ul class="entries">
          {entries.map((entry) => (
            <li key={entry.id}>
              <EntryRow entry={entry} when={date(entry.createdAt)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
