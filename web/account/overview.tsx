import { useEffect, useState } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { ContactSupport } from '../ui/contact-support.tsx'
import { useBusy } from '../ui/use-busy.ts'
import type { Entry } from './calls.ts'
import { Archived, EntryItem, EntryPlaceholders } from './history/entry-list.tsx'
import { usePage, type SectionProps } from './page-context.ts'
import * as base from '../ui/base.module.css'
import * as button from '../ui/button.module.css'
import * as entryList from './history/entries.module.css'
import * as parts from './parts.module.css'

const RECENT = 5

export function Overview({ account, reload }: SectionProps) {
  const { messages, money, data } = usePage()
  const { balance, debt, held, currency, isActive, apps } = account
  useEffect(() => void reload(), [])
  return (
    <div class={parts.section}>
      <h1 class={parts.sectionTitle} tabIndex={-1} dir="auto">
        {messages.overview.greeting(account.firstName)}
      </h1>
      {!isActive && (
        <Notice kind="warning">
          <strong>{messages.overview.frozenTitle}</strong> {messages.overview.frozen}{' '}
          <ContactSupport messages={messages} supportUrl={data.supportUrl} />
        </Notice>
      )}
      {debt > 0 && (
        <Notice kind="warning">
          <strong>{messages.overview.debtTitle(money.plain(debt, currency))}</strong>{' '}
          {messages.overview.debt}
        </Notice>
      )}
      <section class={parts.balance}>
        <h2 class={`${parts.balanceLabel} ${base.muted}`}>{messages.overview.balance}</h2>
        <p class={parts.balanceAmount}>{money.plain(balance, currency)}</p>
        {held > 0 && (
          <p class={base.muted}>{messages.overview.held(money.plain(held, currency))}</p>
        )}
        {data.hasTopup && isActive && (
          <a class={`${button.button} ${button.primary} ${parts.addMoney}`} href="/account/topup">
            {messages.overview.addMoney}
          </a>
        )}
      </section>
      <Recent />
      <section class={parts.part}>
        <div class={parts.partHead}>
          <h2>{messages.overview.appsTitle}</h2>
          <a class={button.textButton} href="#apps">
            {messages.overview.manage}
          </a>
        </div>
        <p class={base.muted}>
          {apps.length > 0 ? messages.overview.apps(apps.length) : messages.overview.noApps}
        </p>
      </section>
    </div>
  )
}

function Recent() {
  const { messages, call, date } = usePage()
  const [entries, setEntries] = useState<Entry[] | 'failed' | null>(null)
  const [archivedBefore, setArchivedBefore] = useState<string | null>(null)
  const [isBusy, read] = useBusy(async () => {
    const result = await call('GET /api/account/history', {})
    setArchivedBefore(result.ok ? result.data.archivedBefore : null)
    setEntries(result.ok ? result.data.transactions.slice(0, RECENT) : 'failed')
  })
  useEffect(read, [])
  return (
    <section class={parts.part}>
      <div class={parts.partHead}>
        <h2>{messages.overview.recent}</h2>
        {Array.isArray(entries) && entries.length > 0 && (
          <a class={button.textButton} href="#history">
            {messages.overview.all}
          </a>
        )}
      </div>
      {entries === null && <EntryPlaceholders count={3} />}
      {entries === 'failed' && (
        <Notice kind="info">
          {messages.history.failed}{' '}
          <TextButton isBusy={isBusy} onClick={read}>
            {messages.retry}
          </TextButton>
        </Notice>
      )}
      {Array.isArray(entries) && entries.length === 0 && archivedBefore && (
        <Archived before={archivedBefore} />
      )}
      {Array.isArray(entries) && entries.length === 0 && !archivedBefore && (
        <div class={parts.empty}>
          <p>{messages.history.emptyTitle}</p>
          <p class={base.muted}>{messages.history.empty}</p>
        </div>
      )}
      {Array.isArray(entries) && entries.length > 0 && (
        <ul class={entryList.entries}>
          {entries.map((entry) => (
            <EntryItem key={entry.id} entry={entry} when={date(entry.createdAt)} />
          ))}
        </ul>
      )}
    </section>
  )
}
