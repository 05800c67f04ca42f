import type { Person } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'

export function PersonFigures({ person }: { person: Person }) {
  const { money } = usePage()
  const { balance, debt, currency, logIns, lastSeenAt, entries } = person
  const texts = words.person
  return (
    <aside class="figures person-figures" aria-label={texts.figures}>
      <dl>
        <div>
          <dt>{texts.balance}</dt>
          <dd class="figure">{money.plain(balance, currency)}</dd>
          <dd class="muted">{texts.entries(entries)}</dd>
        </div>
        <div>
          <dt>{texts.debt}</dt>
          <dd class={debt > 0 ? 'figure text-danger' : 'figure'}>{money.plain(debt, currency)}</dd>
          {debt > 0 && <dd class="muted">{texts.debtHint}</dd>}
        </div>
        <div>
          <dt>{texts.logIns}</dt>
          <dd class="figure">{logIns.toLocaleString('en')}</dd>
          <dd class="muted">
            {lastSeenAt === null ? (
              texts.notSeen
            ) : (
              <>
                {texts.seen} <Time at={lastSeenAt} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.created}</dt>
          <dd class="figure">
            <Time at={person.createdAt} isDay />
          </dd>
        </div>
      </dl>
    </aside>
  )
}
