import { Badge } from '../kit/badge.tsx'
import type { ListedTopup } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as badge from '../kit/badge.module.css'
import * as styles from './topups.module.css'

type Shown = Pick<ListedTopup, 'state' | 'isAutomatic' | 'refunded' | 'disputeStatus'>

const CLOSED = new Set(['won', 'prevented', 'warning_closed'])

/** The state, with refunds and disputes. */
export function TopupState({ topup }: { topup: Shown }) {
  const { state, isAutomatic, refunded, disputeStatus } = topup
  const { money, data } = usePage()
  return (
    <span class={`${badge.badges} ${styles.topupState}`}>
      <span class={state === 'credited' ? `${badge.state} ${badge.stateOn}` : badge.state}>
        {words.topups.states[state]}
      </span>
      {isAutomatic && <Badge>{words.topups.automatic}</Badge>}
      {refunded > 0 && <Badge>{words.topups.refunded(money.plain(refunded, data.currency))}</Badge>}
      {disputeStatus !== null && <DisputeBadge status={disputeStatus} />}
    </span>
  )
}

export function DisputeBadge({ status }: { status: string }) {
  const states: Record<string, string> = words.disputeStates
  const isOver = CLOSED.has(status)
  return <Badge {...(!isOver && { kind: 'warning' })}>{states[status] ?? status}</Badge>
}
