import type { Person } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

export function PersonFigures({ person }: { person: Person }) {
  const { money } = usePage()
  const { balance, debt, held, currency, logIns, passkeys, lastSeenAt, entries } = person
  return (
    <aside class={`${detail.figures} ${styles.personFigures}`} aria-label="Figures of this person">
      <dl>
        <div>
          <dt>Balance</dt>
          <dd class={detail.figure}>{money.plain(balance, currency)}</dd>
          {held > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {money.plain(held, currency)} more is held by client apps.
            </dd>
          )}
          <dd class={`${base.muted} ${detail.figureNote}`}>{countEntries(entries)}</dd>
        </div>
        <div>
          <dt>Debt</dt>
          <dd class={debt > 0 ? `${detail.figure} ${parts.textDanger}` : detail.figure}>
            {money.plain(debt, currency)}
          </dd>
          {debt > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>Collected from the next top-up.</dd>
          )}
        </div>
        <div>
          <dt>Logins at /account</dt>
          <dd class={detail.figure}>{logIns.toLocaleString('en')}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>
            {lastSeenAt === null ? (
              'Never seen'
            ) : (
              <>
                Last seen <Time at={lastSeenAt} />
              </>
            )}
          </dd>
          {passkeys > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>{countPasskeys(passkeys)}</dd>
          )}
        </div>
        <div>
          <dt>Created</dt>
          <dd class={detail.figure}>
            <Time at={person.createdAt} isDay />
          </dd>
        </div>
      </dl>
    </aside>
  )
}

function countEntries(count: number): string {
  return count === 1
    ? '1 entry in the history'
    : `${count.toLocaleString('en')} entries in the history`
}

function countPasskeys(count: number): string {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}
