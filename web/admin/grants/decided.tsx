import { shownAmount, SubjectLink } from './parts.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Grant } from '../calls.ts'
import type { Column } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './grants.module.css'

const texts = words.approvals
const { columns } = texts

export const DECIDED_COLUMNS: readonly Column[] = [
  { name: columns.person },
  { name: columns.amount, isNumber: true },
  { name: columns.result },
  { name: columns.reason, isMinor: true },
  { name: columns.operators, isLeast: true },
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
        <span class={`${table.rowSecond} ${base.muted}`}>{words.grantKinds[kind]}</span>
      </td>
      <td>
        <Badge {...(status === 'posted' && { kind: 'good' })}>
          {isGranted ? texts.limit.granted : texts.statuses[status]}
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
  const because = declinedBecause ?? (refusal && texts.refusals[refusal])
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
          {texts.because(because)}
        </span>
      )}
    </>
  )
}

function Operators({ grant: { status, proposedBy, secondOperator } }: { grant: Grant }) {
  const decided = status === 'rejected' ? texts.rejectedBy : texts.approvedBy
  return (
    <>
      <span class={styles.grantOperator} title={proposedBy}>
        {proposedBy}
      </span>
      {secondOperator && (
        <span class={`${styles.grantOperator} ${base.muted}`} title={secondOperator}>
          {decided(secondOperator)}
        </span>
      )}
    </>
  )
}
