/** The statement of a client app for a period, to view or download. */
import { useMemo } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { explainSettlement } from './settlement.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import type { AppStatement as Summary } from '../calls.ts'
import { ExportButton } from '../kit/export-button.tsx'
import { DayField, toDay } from '../kit/filters.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { replaceParameters, useRoute } from '../route.tsx'
import { Time } from '../kit/time.tsx'
import { useRead } from '../kit/use-read.ts'
import { countOperations } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as filters from '../kit/filters.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './statement.module.css'

interface Days {
  from: string
  to: string
}

/** This month, unless the URL contains a period. */
function readDays({ from, to }: Record<string, string>): Days {
  const today = new Date().toISOString().slice(0, 10)
  return { from: toDay(from) ?? `${today.slice(0, 8)}01`, to: toDay(to) ?? today }
}

export function AppStatement({ app }: Pick<TabProps, 'app'>) {
  const { call } = usePage()
  const { parameters } = useRoute()
  const days = useMemo(() => readDays(parameters), [parameters])
  const asked = { clientId: app.clientId, ...days }
  const { response, refusal, reload } = useRead(JSON.stringify(asked), () =>
    call('GET /api/admin/client-apps/statement', asked),
  )
  const isInvalid = refusal && !refusal.offline && refusal.code === 'INVALID_REQUEST'
  const rows = response ? response.debits.count + response.credits.count + 2 : undefined
  return (
    <section class={parts.part}>
      <div class={`${parts.partHead} ${styles.head}`}>
        <DayFields days={days} />
        {!refusal && (
          <ExportButton path="/api/admin/client-apps/statement.csv" filter={asked} total={rows} />
        )}
      </div>
      <p class={`${base.muted} ${parts.partLead}`}>
        All debits and credits of a period, with the balance before and after.
      </p>
      {isInvalid && (
        <Notice kind="warning">
          The last day must not be before the first day, and at most one year later.
        </Notice>
      )}
      {refusal && !isInvalid && <ReadFailed retry={reload} />}
      {!refusal && <Figures summary={response} days={days} />}
    </section>
  )
}

/** The fields keep what is typed; only complete dates go into the URL. */
function DayFields({ days }: { days: Days }) {
  function write(event: { currentTarget: HTMLFormElement }) {
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    if (toDay(values['from']) && toDay(values['to'])) {
      replaceParameters({ tab: 'statement', ...values })
    }
  }
  return (
    <form class={filters.filters} onSubmit={(event) => event.preventDefault()} onInput={write}>
      <DayField name="from" value={days.from} />
      <DayField name="to" value={days.to} />
    </form>
  )
}

function Figures({ summary, days }: { summary: Summary | null; days: Days }) {
  const { money } = usePage()
  const amount = (value: number | undefined) =>
    summary && value !== undefined ? (
      money.plain(value, summary.currency)
    ) : (
      <TextPlaceholder length={8} />
    )
  const explain = (value: number | undefined) =>
    value === undefined ? <TextPlaceholder length={20} /> : explainSettlement(value)
  const operations = (count: number | undefined) =>
    count === undefined ? <TextPlaceholder length={12} /> : countOperations(count)
  const isOpen = summary !== null && summary.until.slice(0, 10) <= days.to
  return (
    <div class={`${detail.figures} ${styles.figures}`} aria-busy={summary === null}>
      <dl>
        <div>
          <dt>Opening balance</dt>
          <dd class={detail.figure}>{amount(summary?.opening)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{explain(summary?.opening)}</dd>
        </div>
        <div>
          <dt>Debits</dt>
          <dd class={detail.figure}>{amount(summary?.debits.amount)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{operations(summary?.debits.count)}</dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd class={detail.figure}>{amount(summary?.credits.amount)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{operations(summary?.credits.count)}</dd>
        </div>
        <div>
          <dt>Closing balance</dt>
          <dd class={detail.figure}>{amount(summary?.closing)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{explain(summary?.closing)}</dd>
        </div>
      </dl>
      {summary && (
        <p class={base.muted}>
          As of <Time at={summary.until} />.{' '}
          {isOpen && 'The last day is not over yet. Later operations belong to a later statement.'}
        </p>
      )}
    </div>
  )
}
