/** The statement of a month, which the browser prints. */
import { Button, TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Account, DownloadPath, StatementOfMonth } from '../calls.ts'
import { SelectField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { readTimeZone } from '../format-day.ts'
import { replaceParameters } from '../use-route.ts'
import { listMonths, nameMonth, readMonth } from './choose-month.ts'
import { EntryTable } from './entry-table.tsx'
import { useStatement } from './use-statement.ts'
import * as button from '../../ui/button.module.css'
import * as parts from '../parts.module.css'
import * as styles from './statement.module.css'

interface StatementProps {
  account: Account
  parameters: Record<string, string>
}

export function Statement({ account, parameters }: StatementProps) {
  const { messages, call } = usePage()
  const month = readMonth(parameters['month'], new Date())
  const timeZone = readTimeZone()
  const { view, retry } = useStatement(call, month, timeZone)
  const name = nameMonth(month, messages.lang)
  return (
    <div class={parts.section}>
      <div class={styles.tools}>
        <a class={button.textButton} href="#history">
          ← {messages.statement.back}
        </a>
        <div class={styles.choice}>
          <SelectField
            label={messages.statement.month}
            value={month}
            choices={listMonths(new Date(), month).map((each) => [
              each,
              nameMonth(each, messages.lang),
            ])}
            onChoose={(chosen) => replaceParameters('statement', { month: chosen })}
          />
          <Button kind="secondary" isDisabled={typeof view === 'string'} onClick={() => print()}>
            {messages.statement.print}
          </Button>
        </div>
      </div>
      <article class={styles.paper} aria-busy={view === 'reading'}>
        <Heading account={account} month={name} />
        {view === 'reading' && <TextPlaceholder length={24} />}
        {view === 'failed' && <Failed retry={retry} />}
        {view === 'unavailable' && (
          <Notice kind="info">
            {messages.statement.unavailable}{' '}
            <a
              class={button.textButton}
              href={'/api/account/history.csv' satisfies DownloadPath}
              download
            >
              {messages.history.download}
            </a>
          </Notice>
        )}
        {typeof view !== 'string' && <Content statement={view} timeZone={timeZone} />}
      </article>
    </div>
  )
}

function Heading({ account, month }: { account: Account; month: string }) {
  const { messages, data } = usePage()
  return (
    <header class={styles.head}>
      <p class={styles.service} dir="auto">
        {data.serviceName}
      </p>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        {messages.statement.of(month)}
      </h1>
      <p dir="auto">
        {messages.statement.holder}: {account.firstName} {account.lastName}
      </p>
    </header>
  )
}

function Content({ statement, timeZone }: { statement: StatementOfMonth; timeZone: string }) {
  const { messages, money, day } = usePage()
  const { from, before, currency, transactions } = statement
  const isOver = Date.parse(before) <= Date.now()
  const last = new Date(Math.min(Date.parse(before) - 1, Date.now())).toISOString()
  const rows = [
    [messages.statement.opening, money.plain(statement.opening, currency)],
    [messages.statement.totalIn, money.signed(statement.totalIn, currency)],
    [messages.statement.totalOut, money.signed(-statement.totalOut, currency)],
    [
      isOver ? messages.statement.closing : messages.statement.soFar,
      money.plain(statement.closing, currency),
    ],
  ] as const
  return (
    <>
      <p class={styles.period}>
        {messages.statement.period}: {messages.statement.days(day.date(from), day.date(last))} ·{' '}
        {messages.statement.zone(timeZone)}
      </p>
      <dl class={styles.summary}>
        {rows.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      {transactions.length > 0 ? (
        <EntryTable entries={transactions} />
      ) : (
        <p>{messages.statement.none}</p>
      )}
    </>
  )
}

function Failed({ retry }: { retry: () => Promise<void> }) {
  const { messages } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <Notice kind="danger">
      {messages.statement.failed}{' '}
      <TextButton isBusy={isBusy} onClick={run}>
        {messages.retry}
      </TextButton>
    </Notice>
  )
}
