/** The first page: amounts, requests, settlements, and whether the books are balanced. */
import { useEffect } from 'preact/hooks'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Overview as Figures, OverviewPeriod } from '../calls.ts'
import { Empty, ReadFailed } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { BooksCard } from './books.tsx'
import { OverviewCharts } from './charts.tsx'
import { Checks } from './checks.tsx'
import { Refusals } from './refusals.tsx'
import { Settlements } from './settlements.tsx'
import { Tiles } from './tiles.tsx'
import { Todo } from './todo.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { useRead } from '../kit/use-read.ts'
import { ButtonLink } from '../kit/links.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './overview.module.css'

const PERIOD_NAMES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' }

const PERIODS: readonly OverviewPeriod[] = ['24h', '7d', '30d', '90d']
const DEFAULT: OverviewPeriod = '7d'
const UPDATE_INTERVAL_MS = 60_000

export function Overview({ parameters }: { parameters: Record<string, string> }) {
  const { call } = usePage()
  const period = PERIODS.find((each) => each === parameters['period']) ?? DEFAULT
  const { response, refusal, reload } = useRead(period, () =>
    call('GET /api/admin/overview', { period }),
  )
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload()
    }, UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [period])
  // Figures of the previous period are not shown under the name of the new one.
  const figures = response?.slots.length === lengthOf(period) ? response : null
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Overview
        </h1>
        <nav class={styles.segments} aria-label="Period">
          {PERIODS.map((each) => (
            <Link
              key={each}
              to={each === DEFAULT ? paths.home : `${paths.home}?period=${each}`}
              isCurrent={each === period}
            >
              {PERIOD_NAMES[each]}
            </Link>
          ))}
        </nav>
      </div>
      {refusal && <ReadFailed retry={reload} />}
      {!figures && !refusal && <OverviewPlaceholder />}
      {figures && <Loaded figures={figures} period={PERIOD_NAMES[period]} />}
    </div>
  )
}

function lengthOf(period: OverviewPeriod): number {
  return Number.parseInt(period, 10)
}

function Loaded({ figures, period }: { figures: Figures; period: string }) {
  const isNew =
    figures.walletsTotal === 0 &&
    figures.settlements.length === 0 &&
    figures.slots.every(({ requests, topupsBegun }) => requests + topupsBegun === 0)
  return (
    <>
      <BooksCard books={figures.books} />
      <Checks checks={figures.checks} />
      <Todo todo={figures.todo} />
      {isNew ? (
        <NoFiguresYet />
      ) : (
        <>
          <Tiles figures={figures} period={period} />
          <OverviewCharts figures={figures} />
          <Settlements figures={figures} />
          <Refusals refusals={figures.refusals} />
        </>
      )}
    </>
  )
}

function NoFiguresYet() {
  const mayRegister = useMay('operator')
  return (
    <Empty
      title="No operations yet"
      text="Figures appear after the first operation. Register a client app to start."
    >
      {mayRegister && (
        <ButtonLink kind="secondary" to={paths.newApp}>
          Register a client app
        </ButtonLink>
      )}
    </Empty>
  )
}

/** Has the same boxes, so that little moves when the figures appear. */
function OverviewPlaceholder() {
  return (
    <>
      <p class={base.visuallyHidden} role="status">
        Loading …
      </p>
      <div class={styles.books} aria-hidden="true">
        <TextPlaceholder length={30} />
      </div>
      <div class={styles.tiles} aria-hidden="true">
        {[8, 8, 8, 10, 8, 8].map((length, at) => (
          <div class={styles.tile} key={at}>
            <p class={styles.tileName}>
              <TextPlaceholder length={length} />
            </p>
            <p class={styles.tileFigure}>
              <TextPlaceholder length={7} />
            </p>
            <p class={styles.tileNote}>
              <TextPlaceholder length={10} />
            </p>
          </div>
        ))}
      </div>
      <div class={styles.chart} aria-hidden="true">
        <div class={styles.chartCanvas} />
      </div>
    </>
  )
}
