import type { Overview } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as styles from './overview.module.css'

type Slot = Overview['slots'][number]
const texts = words.overview
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

interface Tile {
  name: string
  /** The list of what the figure counts. */
  path?: string
  figure: string
  note: string
}

/** The main figures of the period. */
export function Tiles({ figures }: { figures: Overview }) {
  const { money } = usePage()
  const { slots, currency, held, debt, unclaimed, others, refusals } = figures
  const plain = (amount: number) => money.plain(amount, currency)
  const movement = (name: string, path: string, of: (slot: Slot) => Slot['debits']): Tile => ({
    name,
    path,
    figure: plain(sum(slots, (slot) => of(slot).amount)),
    note: texts.operations(sum(slots, (slot) => of(slot).count)),
  })
  const requests = sum(slots, (slot) => slot.requests)
  const failed = sum(slots, (slot) => slot.failed)
  const refused = refusals.reduce((total, { count }) => total + count, 0)
  const tiles: Tile[] = [
    movement(texts.debits, `${paths.operations}?kind=debit`, (slot) => slot.debits),
    movement(texts.credits, `${paths.operations}?kind=credit`, (slot) => slot.credits),
    movement(texts.topups, paths.topups, (slot) => slot.topups),
    { name: texts.held, figure: plain(held), note: debt > 0 ? texts.owed(plain(debt)) : texts.now },
    {
      name: texts.requests,
      figure: requests.toLocaleString('en'),
      note: requests === 0 ? texts.noRequests : texts.failed(percent.format(failed / requests)),
    },
    {
      name: texts.refused,
      figure: refused.toLocaleString('en'),
      note: texts.ofRequests(percent.format(requests === 0 ? 0 : refused / requests)),
    },
  ]
  return (
    <>
      <dl class={styles.tiles}>
        {tiles.map(({ name, path, figure, note }) => (
          <div class={styles.tile} key={name}>
            <dt class={styles.tileName}>{path ? <Link to={path}>{name}</Link> : name}</dt>
            <dd class={styles.tileFigure}>{figure}</dd>
            <dd class={`${styles.tileNote} ${base.muted}`}>{note}</dd>
          </div>
        ))}
      </dl>
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

/** Rounds sums of major units to three decimals, the most that any currency has. */
function sum(slots: readonly Slot[], of: (slot: Slot) => number): number {
  return Math.round(slots.reduce((total, slot) => total + of(slot), 0) * 1000) / 1000
}
