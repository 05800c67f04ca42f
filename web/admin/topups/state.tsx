import { Badge } from '../kit/badge.tsx'
import type { ListedTopup } from '../calls.ts'
import { usePage } from '../page-context.ts'
import * as badge from '../kit/badge.module.css'
import * as styles from './topups.module.css'

export const TOPUP_STATES = { open: 'Open', credited: 'Credited', ended: 'Canceled' }

/** By the card processor's status. */
const DISPUTE_STATES: Record<string, string> = {
  needs_response: 'Dispute open',
  under_review: 'Dispute under review',
  appeal_needs_response: 'Dispute appealed',
  appeal_under_review: 'Appeal under review',
  won: 'Dispute won',
  lost: 'Dispute lost',
  prevented: 'Dispute prevented',
  warning_needs_response: 'Inquiry',
  warning_under_review: 'Inquiry under review',
  warning_closed: 'Inquiry closed',
}

type Shown = Pick<ListedTopup, 'state' | 'isAutomatic' | 'refunded' | 'disputeStatus'>

const CLOSED = new Set(['won', 'prevented', 'warning_closed'])

/** The state, with refunds and disputes. */
export function TopupState({ topup }: { topup: Shown }) {
  const { state, isAutomatic, refunded, disputeStatus } = topup
  const { money, data } = usePage()
  return (
    <span class={`${badge.badges} ${styles.topupState}`}>
      <span class={state === 'credited' ? `${badge.state} ${badge.stateOn}` : badge.state}>
        {TOPUP_STATES[state]}
      </span>
      {isAutomatic && <Badge>Automatic</Badge>}
      {refunded > 0 && <Badge>{money.plain(refunded, data.currency)} refunded</Badge>}
      {disputeStatus !== null && <DisputeBadge status={disputeStatus} />}
    </span>
  )
}

export function DisputeBadge({ status }: { status: string }) {
  const isOver = CLOSED.has(status)
  return <Badge {...(!isOver && { kind: 'warning' })}>{DISPUTE_STATES[status] ?? status}</Badge>
}
