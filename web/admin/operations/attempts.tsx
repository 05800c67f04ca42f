import { Badge } from '../kit/badge.tsx'
import type { FoundOperation } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/links.tsx'
import { Time } from '../kit/time.tsx'
import { OPERATION_KINDS } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const TITLE = 'Later attempts with different values'

const DIFFERENCES = {
  amount: 'Amount',
  serviceUserId: 'User',
  direction: 'Direction',
  debit: 'Debit',
  hold: 'Hold',
  expiresInSeconds: 'Time',
  isFinal: 'Final',
}

const COLUMNS: readonly Column[] = [
  { name: 'Time (UTC)' },
  { name: 'Requested' },
  { name: 'Difference' },
  { name: 'Person', isMinor: true },
]

export function OperationAttempts({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  return (
    <section class={parts.part}>
      <h2>{TITLE}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        Each one got the outcome of the first attempt, or 409 REFERENCE_MISMATCH. None of them moved
        money. {found.hasMoreAttempts && 'Only the 100 most recent are shown.'}
      </p>
      <Table label={TITLE} columns={COLUMNS}>
        {found.attempts.map((attempt, at) => (
          <tr key={at}>
            <th scope="row">
              <Time at={attempt.at} isNamed />
            </th>
            <td>
              {OPERATION_KINDS[attempt.kind]} {money.plain(attempt.amount, found.currency)}
            </td>
            <td>
              <span class={badge.badges}>
                {attempt.differs.map((field) => (
                  <Badge key={field} kind="warning">
                    {DIFFERENCES[field]}
                  </Badge>
                ))}
              </span>
            </td>
            <td class={table.minor}>
              {attempt.person ? (
                <PersonLink person={attempt.person} />
              ) : (
                <span class={base.muted}>Unknown user</span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
