import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Time } from '../kit/time.tsx'
import { ButtonLink } from '../kit/button-link.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const { columns, states } = words.personTopups
const COLUMNS: readonly Column[] = [
  { name: columns.time },
  { name: columns.state },
  { name: columns.amount, isNumber: true },
]

export function PersonTopups({ person }: { person: Person }) {
  const { money } = usePage()
  const { topups, currency } = person
  const texts = words.personTopups
  if (topups.length === 0) return <Empty title={texts.emptyTitle} text={texts.empty} />
  return (
    <div class={parts.part}>
      <div class={parts.partHead}>
        <p class={base.muted}>{texts.lead}</p>
        <ButtonLink kind="secondary" to={paths.topupsOf(person.id)}>
          {texts.all}
        </ButtonLink>
      </div>
      <Table label={words.person.tabs.topups} columns={COLUMNS}>
        {topups.map(({ id, state, amount, createdAt, isAutomatic }) => (
          <tr key={id}>
            <th scope="row">
              <Time at={createdAt} />
            </th>
            <td>
              <Badge {...(state === 'credited' && { kind: 'good' })}>{states[state]}</Badge>{' '}
              {isAutomatic && <Badge>{words.topups.automatic}</Badge>}
            </td>
            <td class={table.number}>{money.plain(amount, currency)}</td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
