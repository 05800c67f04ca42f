/** The statement of a month, which the browser prints. */
import { Button, TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Account, DownloadPath, StatementOfMonth } from '../calls.ts'
import { SelectField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { readTimeZone } from '../read-time-zone.ts'
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
  const { words, call } = usePage()
  const texts = words.statement
  const month = readMonth(parameters['month'], new Date())
  const timeZone = readTimeZone()
  const { view, retry } = useStatement(call, month, timeZone)
  const name = nameMonth(month, words.lang)
  return (
    <div class={parts.section}>
      <div class={styles.tools}>
        <a class={button.textButton} href="#history">
          ← {texts.back}
        </a>
        <div class={styles.choice}>
          <SelectField
            label={texts.month}
            value={month}
            choices={listMonths(new Date(), month).map((each) => [
              each,
              nameMonth(each, words.lang),
            ])}
            onChoose={(chosen) => replaceParameters('statement', { month: chosen })}
          />
          <Button kind="secondary" isDisabled={typeof view === 'string'} onClick={() => print()}>
            {texts.print}
          </Button>
        </div>
      </div>
      <article class={styles.paper} aria-busy={view === 'reading'}>
        <Heading account={account} month={name} />
        {view === 'reading' && <TextPlaceholder length={24} />}
        {view === 'failed' && <Failed retry={retry} />}
        {view === 'unavailable' && (
          <Notice kind="info">
            {texts.unavailable}{' '}
            <a
              class={button.textButton}
              href={'/api/account/history.csv' satisfies DownloadPath}
              download
            >
              {words.history.download}
            </a>
          </Notice>
        )}
        {typeof view !== 'string' && <Content statement={view} timeZone={timeZone} />}
      </article>
    </div>
  )
}

function Heading({ account, month }: { account: Account; month: string }) {
  const { words, data } = usePage()
  return (
    <header class={styles.head}>
      <p class={styles.service} dir="auto">
        {data.serviceName}
      </p>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        {words.statement.of(month)}
      </h1>
      <p dir="auto">
        {words.statement.holder}: {account.firstName} {account.lastName}
      </p>
    </header>
  )
}

function Content({ statement, timeZone }: { statement: StatementOfMonth; timeZone: string }) {
  const { words, money, day } = usePage()
  const texts = words.statement
  const { from, before, currency, transactions } = statement
  const isOver = Date.parse(before) <= Date.now()
  const last = new Date(Math.min(Date.parse(before) - 1, Date.now())).toISOString()
  const rows = [
    [texts.opening, money.plain(statement.opening, currency)],
    [texts.totalIn, money.signed(statement.totalIn, currency)],
    [texts.totalOut, money.signed(-statement.totalOut, currency)],
    [isOver ? texts.closing : texts.soFar, money.plain(statement.closing, currency)],
  ] as const
  return (
    <>
      <p class={styles.period}>
        {texts.period}: {texts.days(day.date(from), day.date(last))} · {texts.zone(timeZone)}
      </p>
      <dl class={styles.summary}>
        {rows.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      {transactions.length > 0 ? <EntryTable entries={transactions} /> : <p>{texts.none}</p>}
    </>
  )
}

function Failed({ retry }: { retry: () => Promise<void> }) {
  const { words } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <Notice kind="danger">
      {words.statement.failed}{' '}
      <TextButton isBusy={isBusy} onClick={run}>
        {words.retry}
      </TextButton>
    </Notice>
  )
}
