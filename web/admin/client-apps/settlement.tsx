import type { ClientApp } from '../calls.ts'
import { showLimit } from '../kit/amounts.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'

/** The figures next to the settings. */
export function AppSettlement({ app }: { app: ClientApp }) {
  const { money } = usePage()
  const { settlement, creditLimit, waitingLimit, currency } = app
  return (
    <aside class={detail.figures} aria-label="Figures of this client app">
      <dl>
        <div>
          <dt>Settlement</dt>
          <dd class={detail.figure}>{money.plain(settlement, currency)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>{explainSettlement(settlement)}</dd>
        </div>
        <div>
          <dt>Credit limit</dt>
          <dd class={detail.figure}>{showLimit(app, currency, money)}</dd>
          <dd class={`${base.muted} ${detail.figureNote}`}>
            {creditLimit === null
              ? 'Credits have no limit.'
              : `${money.plain(Math.max(0, creditLimit + settlement), currency)} can still be credited.`}
          </dd>
          {waitingLimit && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              Waiting for a second operator: {showLimit(waitingLimit, currency, money)}, proposed by{' '}
              {waitingLimit.proposedBy}.
            </dd>
          )}
        </div>
        <div>
          <dt>Linked users</dt>
          <dd class={detail.figure}>{app.linkedUsers.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            <Time at={app.lastUsedAt} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={app.createdAt} isDay />
          </dd>
        </div>
      </dl>
    </aside>
  )
}

export function explainSettlement(settlement: number): string {
  if (settlement === 0) return 'Debits and credits are equal.'
  return settlement > 0
    ? 'The platform owes this amount to the app: debits minus credits.'
    : 'The app owes this amount to the platform: its credits exceed its debits.'
}
