import { Badge } from '../kit/badge.tsx'
import type { ListedTopup } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'

type Shown = Pick<ListedTopup, 'state' | 'refunded' | 'disputeStatus'>

const CLOSED = new Set(['won', 'prevented', 'warning_closed'])

/** The state, with refunds and disputes. */
export function TopupState({ topup: { state, refunded, disputeStatus } }: { topup: Shown }) {
  const { money, data } = usePage()
  return (
    <span class="badges topup-state">
      <span class={state === 'credited' ? 'state state-on' : 'state'}>
        {words.topups.states[state]}
      </span>
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
