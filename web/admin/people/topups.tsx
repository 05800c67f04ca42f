import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Time } from '../kit/time.tsx'
import { ButtonLink } from '../kit/links.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const STATES = { open: 'Not paid yet', credited: 'Credited', ended: 'Canceled, not paid' }

const COLUMNS: readonly Column[] = [
  { name: 'Started' },
  { name: 'State' },
  { name: 'Amount', isNumber: true },
]

export function PersonTopups({ person }: { person: Person }) {
  const { money } = usePage()
  const { topups, currency } = person
  if (topups.length === 0)
    return <Empty title="No top-ups" text="This person has never started a top-up." />
  return (
    <div class={parts.part}>
      <div class={parts.partHead}>
        <p class={base.muted}>The ten most recent top-ups.</p>
        <ButtonLink kind="secondary" to={paths.topupsOf(person.id)}>
          All top-ups of this person
        </ButtonLink>
      </div>
      <Table label="Top-ups" columns={COLUMNS}>
        {topups.map(({ id, state, amount, createdAt, isAutomatic }) => (
          <tr key={id}>
            <th scope="row">
              <Time at={createdAt} />
            </th>
            <td>
              <Badge {...(state === 'credited' && { kind: 'good' })}>{STATES[state]}</Badge>{' '}
              {isAutomatic && <Badge>Automatic</Badge>}
            </td>
            <td class={table.number}>{money.plain(amount, currency)}</td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
