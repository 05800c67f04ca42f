import type { Overview } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { REFUSALS_ID } from './refusals.tsx'
import { countOperations, OTHER_KINDS } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './overview.module.css'

type Slot = Overview['slots'][number]
type Compared = keyof Overview['comparison']['now']

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
  const { currency, unclaimed, others, comparison } = figures
  const plain = (amount: number) => money.plain(amount, currency)
  const tiles = listTiles(figures, plain)
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
        <p class={`${base.muted} ${styles.others}`}>
          Percentages compare the complete hours with those of the previous {period}.
        </p>
      )}
      {others.length > 0 && (
        <p class={`${base.muted} ${styles.others}`}>
          Other operations:{' '}
          {others
            .map(
              ({ kind, amount, count }) =>
                `${plain(amount)} ${OTHER_KINDS[kind] ?? kind} (${count.toLocaleString('en')})`,
            )
            .join(', ')}
          .
        </p>
      )}
      {unclaimed > 0 && (
        <p class={`${base.muted} ${styles.others}`}>
          Unclaimed: {plain(unclaimed)} arrived after accounts were deleted. Coffer cannot pay it
          out: follow the rules for unclaimed money in your country.
        </p>
      )}
    </>
  )
}

function listTiles(figures: Overview, plain: (amount: number) => string): Tile[] {
  const { slots, walletsTotal, debt, refusals } = figures
  const movement = (kind: 'debits' | 'credits' | 'topups', name: string, path: string): Tile => ({
    name,
    path,
    figure: plain(sum(slots, (slot) => slot[kind].amount)),
    note: countOperations(sum(slots, (slot) => slot[kind].count)),
    compared: kind,
  })
  const requests = sum(slots, (slot) => slot.requests)
  const failed = sum(slots, (slot) => slot.failed)
  const refused = refusals.reduce((total, { count }) => total + count, 0)
  return [
    movement('debits', 'Debits', `${paths.operations}?kind=debit`),
    movement('credits', 'Credits', `${paths.operations}?kind=credit`),
    movement('topups', 'Top-ups', paths.topups),
    {
      name: 'Total in wallets',
      figure: plain(walletsTotal),
      note:
        debt > 0 ? `now; people owe ${plain(debt)} to the service` : 'now, in all wallets together',
    },
    {
      name: 'Requests',
      figure: requests.toLocaleString('en'),
      note:
        requests === 0
          ? 'by client apps and people'
          : `${percent.format(failed / requests)} failed on our side`,
      compared: 'requests',
    },
    {
      name: 'Refused',
      path: `#${REFUSALS_ID}`,
      figure: refused.toLocaleString('en'),
      note: `${percent.format(requests === 0 ? 0 : refused / requests)} of requests`,
      compared: 'refused',
    },
  ]
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
          <span class={base.visuallyHidden}> compared with the previous {period}</span>
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
