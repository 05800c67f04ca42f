import { shownAmount, SubjectLink, GRANT_KINDS } from './parts.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Grant } from '../calls.ts'
import type { Column } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './grants.module.css'

const STATUS_NAMES = {
  open: 'Waiting',
  approved: 'Being posted',
  posted: 'Posted',
  refused: 'Refused',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
}

const REFUSAL_REASONS: Record<string, string> = {
  INSUFFICIENT_BALANCE: 'The balance was too low.',
  BALANCE_LIMIT: 'The wallet cannot hold that much.',
  WALLET_CLOSED: 'The person had deleted the account.',
}

export const DECIDED_COLUMNS: readonly Column[] = [
  { name: 'Person or app' },
  { name: 'Amount', isNumber: true },
  { name: 'Result' },
  { name: 'Reason', isMinor: true },
  { name: 'Operators', isLeast: true },
]

export function DecidedRow({ grant }: { grant: Grant }) {
  const { money } = usePage()
  const { kind, status } = grant
  const isGranted = grant.clientApp !== null && status === 'posted'
  return (
    <tr data-row={grant.id}>
      <th scope="row" class={styles.grantPayee}>
        <SubjectLink grant={grant} />
      </th>
      <td class={table.number}>
        {shownAmount(grant, money)}
        <span class={`${table.rowSecond} ${base.muted}`}>{GRANT_KINDS[kind]}</span>
      </td>
      <td>
        <Badge {...(status === 'posted' && { kind: 'good' })}>
          {isGranted ? 'Granted' : STATUS_NAMES[status]}
        </Badge>
        <span class={`${table.rowSecond} ${base.muted}`}>
          <Time at={grant.decidedAt} />
        </span>
      </td>
      <td class={`${table.minor} ${table.wide}`}>
        <Reasons grant={grant} />
      </td>
      <td class={table.least}>
        <Operators grant={grant} />
      </td>
    </tr>
  )
}

/** Why it was proposed, and why it was not posted. */
function Reasons({ grant: { reason, refusal, declinedBecause, changes } }: { grant: Grant }) {
  const because = declinedBecause ?? (refusal && REFUSAL_REASONS[refusal])
  return (
    <>
      <span class={table.clamp} dir="auto" title={reason}>
        {reason}
      </span>
      {changes.length > 0 && (
        <span class={table.clamp} title={changes.join(' ')}>
          {changes.join(' ')}
        </span>
      )}
      {because && (
        <span class={`${table.clamp} ${base.muted}`} dir="auto" title={because}>
          Not posted: {because}
        </span>
      )}
    </>
  )
}

function Operators({ grant: { status, proposedBy, secondOperator } }: { grant: Grant }) {
  return (
    <>
      <span class={styles.grantOperator} title={proposedBy}>
        {proposedBy}
      </span>
      {secondOperator && (
        <span class={`${styles.grantOperator} ${base.muted}`} title={secondOperator}>
          {status === 'rejected'
            ? `rejected by ${secondOperator}`
            : `approved by ${secondOperator}`}
        </span>
      )}
    </>
  )
}
