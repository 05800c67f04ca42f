import type { ClientApp } from '../calls.ts'
import { words } from '../messages.ts'
import { showLimit } from '../kit/show-limit.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'

/** The figures next to the settings. */
export function AppSettlement({ app }: { app: ClientApp }) {
  const { money } = usePage()
  const { settlement, creditLimit, waitingLimit, currency } = app
  const texts = words.settlement
  return (
    <aside class={detail.figures} aria-label={texts.label}>
      <dl>
        <div>
          <dt>{texts.amount}</dt>
          <dd class={detail.figure}>{money.plain(settlement, currency)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{explainSettlement(settlement)}</dd>
        </div>
        <div>
          <dt>{words.limit.label}</dt>
          <dd class={detail.figure}>{showLimit(app, currency, money)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>
            {creditLimit === null
              ? texts.noLimit
              : texts.left(money.plain(Math.max(0, creditLimit + settlement), currency))}
          </dd>
          {waitingLimit && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {words.limit.waiting(
                showLimit(waitingLimit, currency, money),
                waitingLimit.proposedBy,
              )}
            </dd>
          )}
        </div>
        <div>
          <dt>{words.apps.columns.linkedUsers}</dt>
          <dd class={detail.figure}>{app.linkedUsers.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>{words.apps.columns.lastUsed}</dt>
          <dd>
            <Time at={app.lastUsedAt} />
          </dd>
        </div>
        <div>
          <dt>{words.apps.columns.created}</dt>
          <dd>
            <Time at={app.createdAt} isDay />
          </dd>
        </div>
      </dl>
    </aside>
  )
}

export function explainSettlement(settlement: number): string {
  const { weOwe, theyOwe, even } = words.settlement
  if (settlement === 0) return even
  return settlement > 0 ? weOwe : theyOwe
}
