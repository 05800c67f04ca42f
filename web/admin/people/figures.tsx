import type { Person } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

export function PersonFigures({ person }: { person: Person }) {
  const { money } = usePage()
  const { balance, debt, held, currency, logIns, passkeys, lastSeenAt, entries } = person
  const texts = words.person
  return (
    <aside class={`${detail.figures} ${styles.personFigures}`} aria-label={texts.figures}>
      <dl>
        <div>
          <dt>{texts.balance}</dt>
          <dd class={detail.figure}>{money.plain(balance, currency)}</dd>
          {held > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {texts.held(money.plain(held, currency))}
            </dd>
          )}
          <dd class={`${base.muted} ${detail.figureNote}`}>{texts.entries(entries)}</dd>
        </div>
        <div>
          <dt>{texts.debt}</dt>
          <dd class={debt > 0 ? `${detail.figure} ${parts.textDanger}` : detail.figure}>
            {money.plain(debt, currency)}
          </dd>
          {debt > 0 && <dd class={`${base.muted} ${detail.figureNote}`}>{texts.debtHint}</dd>}
        </div>
        <div>
          <dt>{texts.logIns}</dt>
          <dd class={detail.figure}>{logIns.toLocaleString('en')}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>
            {lastSeenAt === null ? (
              texts.notSeen
            ) : (
              <>
                {texts.seen} <Time at={lastSeenAt} />
              </>
            )}
          </dd>
          {passkeys > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>{texts.passkeys(passkeys)}</dd>
          )}
        </div>
        <div>
          <dt>{texts.created}</dt>
          <dd class={detail.figure}>
            <Time at={person.createdAt} isDay />
          </dd>
        </div>
      </dl>
    </aside>
  )
}
