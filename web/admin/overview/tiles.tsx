import type { Overview } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { REFUSALS_ID } from './refusals.tsx'
import * as base from '../../ui/base.module.css'
import * as styles from './overview.module.css'

type Slot = Overview['slots'][number]
type Compared = keyof Overview['comparison']['now']

const texts = words.overview
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const changeFormat = new Intl.NumberFormat('en', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})

interface Tile {
  name: string
  /** The list of what the figure counts; on the same page if it starts with #. */
  path?: string
  figure: string
  note: string
  /** What of it is compared with the previous period. */
  compared?: Compared
}

interface TilesProps {
  figures: Overview
  /** The name of the period. */
  period: string
}

/** The main figures of the period. */
export function Tiles({ figures, period }: TilesProps) {
  const { money } = usePage()
  const { slots, currency, walletsTotal, debt, unclaimed, others, refusals, comparison } = figures
  const plain = (amount: number) => money.plain(amount, currency)
  const movement = (kind: 'debits' | 'credits' | 'topups', path: string): Tile => ({
    name: texts[kind],
    path,
    figure: plain(sum(slots, (slot) => slot[kind].amount)),
    note: texts.operations(sum(slots, (slot) => slot[kind].count)),
    compared: kind,
  })
  const requests = sum(slots, (slot) => slot.requests)
  const failed = sum(slots, (slot) => slot.failed)
  const refused = refusals.reduce((total, { count }) => total + count, 0)
  const tiles: Tile[] = [
    movement('debits', `${paths.operations}?kind=debit`),
    movement('credits', `${paths.operations}?kind=credit`),
    movement('topups', paths.topups),
    {
      name: texts.walletsTotal,
      figure: plain(walletsTotal),
      note: debt > 0 ? texts.owed(plain(debt)) : texts.now,
    },
    {
      name: texts.requests,
      figure: requests.toLocaleString('en'),
      note: requests === 0 ? texts.noRequests : texts.failed(percent.format(failed / requests)),
      compared: 'requests',
    },
    {
      name: texts.refused,
      path: `#${REFUSALS_ID}`,
      figure: refused.toLocaleString('en'),
      note: texts.ofRequests(percent.format(requests === 0 ? 0 : refused / requests)),
      compared: 'refused',
    },
  ]
  return (
    <>
      <dl class={styles.tiles}>
        {tiles.map((tile) => (
          <TileBox
            key={tile.name}
            tile={tile}
            change={tile.compared && showChange(comparison, tile.compared)}
            period={period}
          />
        ))}
      </dl>
      {tiles.some(({ compared }) => compared && showChange(comparison, compared)) && (
        <p class={`${base.muted} ${styles.others}`}>{texts.comparedLead(period)}</p>
      )}
      {others.length > 0 && (
        <p class={`${base.muted} ${styles.others}`}>
          {texts.others}:{' '}
          {others
            .map(({ kind, amount, count }) =>
              texts.other(plain(amount), texts.kinds[kind] ?? kind, count),
            )
            .join(', ')}
          .
        </p>
      )}
      {unclaimed > 0 && (
        <p class={`${base.muted} ${styles.others}`}>{texts.unclaimed(plain(unclaimed))}</p>
      )}
    </>
  )
}

interface TileBoxProps {
  tile: Tile
  change: string | undefined
  period: string
}

function TileBox({ tile, change, period }: TileBoxProps) {
  const { name, path, figure, note } = tile
  return (
    <div class={styles.tile}>
      <dt class={styles.tileName}>{path ? <TileLink path={path} name={name} /> : name}</dt>
      <dd class={styles.tileFigure}>{figure}</dd>
      <dd class={`${styles.tileNote} ${base.muted}`}>{note}</dd>
      {change && (
        <dd class={styles.tileNote}>
          {change}
          <span class={base.visuallyHidden}>{texts.compared(period)}</span>
        </dd>
      )}
    </div>
  )
}

function TileLink({ path, name }: { path: string; name: string }) {
  return path.startsWith('#') ? <a href={path}>{name}</a> : <Link to={path}>{name}</Link>
}

/** Nothing if the previous period has no figure to compare with. */
function showChange({ now, before }: Overview['comparison'], what: Compared): string | undefined {
  const [to, from] = [now[what], before[what]]
  if (to === null || !from) return undefined
  // A hyphen is narrower than the plus and is read out as a dash.
  return changeFormat.format(to / from - 1).replace('-', '\u2212')
}

/** Rounds sums of major units to three decimals, the most that any currency has. */
function sum(slots: readonly Slot[], of: (slot: Slot) => number): number {
  return Math.round(slots.reduce((total, slot) => total + of(slot), 0) * 1000) / 1000
}
