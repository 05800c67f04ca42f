import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Link, paths } from '../route.tsx'
import { Time } from '../kit/time.tsx'

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
    <div class="part">
      <div class="part-head">
        <p class="muted">{texts.lead}</p>
        <Link class="button button-secondary" to={paths.topupsOf(person.id)}>
          {texts.all}
        </Link>
      </div>
      <Table label={words.person.tabs.topups} columns={COLUMNS}>
        {topups.map(({ id, state, amount, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              <Time at={createdAt} />
            </th>
            <td>
              <Badge {...(state === 'credited' && { kind: 'good' })}>{states[state]}</Badge>
            </td>
            <td class="number">{money.plain(amount, currency)}</td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
