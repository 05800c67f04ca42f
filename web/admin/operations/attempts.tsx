import { Badge } from '../kit/badge.tsx'
import type { FoundOperation } from '../calls.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/person-link.tsx'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const texts = words.operations
const COLUMNS: readonly Column[] = [
  { name: texts.attemptColumns.time },
  { name: texts.attemptColumns.asked },
  { name: texts.attemptColumns.differs },
  { name: texts.attemptColumns.person, isMinor: true },
]

export function OperationAttempts({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  return (
    <section class={parts.part}>
      <h2>{texts.attemptsTitle}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        {texts.attemptsLead} {found.hasMoreAttempts && texts.attemptsCut}
      </p>
      <Table label={texts.attemptsTitle} columns={COLUMNS}>
        {found.attempts.map((attempt, at) => (
          <tr key={at}>
            <th scope="row">
              <Time at={attempt.at} isNamed />
            </th>
            <td>
              {words.history.kinds[attempt.kind]} {money.plain(attempt.amount, found.currency)}
            </td>
            <td>
              <span class={badge.badges}>
                {attempt.differs.map((field) => (
                  <Badge key={field} kind="warning">
                    {texts.differs[field]}
                  </Badge>
                ))}
              </span>
            </td>
            <td class={table.minor}>
              {attempt.person ? (
                <PersonLink person={attempt.person} />
              ) : (
                <span class={base.muted}>{texts.nobody}</span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
