/** The events of a client app, as it reads them from its feed. */
import { useState } from 'preact/hooks'
import type { EventType } from '../calls.ts'
import { Snippet } from '../kit/copy.tsx'
import { DisclosureRow } from '../kit/disclosure-row.tsx'
import { EVENT_TYPES } from '../kit/event-types.ts'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import { usePage } from '../page-context.ts'
import type { TabProps } from '../kit/app-tabs.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'Event' },
  { name: 'Type' },
  { name: 'Number', isNumber: true, isMinor: true },
  { name: 'User', isMinor: true },
]

export function AppEvents({ app: { clientId } }: Pick<TabProps, 'app'>) {
  const { call } = usePage()
  const [type, setType] = useState<EventType | undefined>(undefined)
  const list = useList(`${clientId} ${type}`, async (cursor) =>
    toListed(
      await call('GET /api/admin/client-apps/events', {
        clientId,
        ...(type && { type }),
        ...(cursor && { cursor }),
      }),
      ({ events }) => events.map((each) => ({ ...each, key: each.id })),
    ),
  )
  return (
    <section class={parts.part}>
      <div class={parts.partHead}>
        <p class={`${base.muted} ${parts.partLead}`}>
          Events that the app did not cause itself. It reads them from its feed or receives them by
          webhook. They are kept for at least 30 days.
        </p>
        <SelectField
          name="type"
          label="Type"
          value={type ?? ''}
          options={[['', 'Any'], ...EVENT_TYPES.map((each) => [each, each] as const)]}
          onChange={(value) => setType(EVENT_TYPES.find((each) => each === value))}
        />
      </div>
      <List
        list={list}
        label="Events"
        columns={COLUMNS}
        isFiltered={type !== undefined}
        empty={
          <Empty
            title="No events yet"
            text="The next event of the app appears here, for example when a person links it."
          />
        }
        renderRow={(event) => (
          <DisclosureRow
            key={event.key}
            id={event.key}
            at={event.createdAt}
            columnCount={COLUMNS.length}
            renderDetails={() => (
              <div class={table.details}>
                <Snippet title="Event" text={JSON.stringify(JSON.parse(event.body), null, 2)} />
              </div>
            )}
          >
            <td>
              <code>{event.type}</code>
            </td>
            <td class={`${table.number} ${table.minor}`}>{event.sequence}</td>
            <td class={table.minor}>{event.serviceUserId && <code>{event.serviceUserId}</code>}</td>
          </DisclosureRow>
        )}
      />
    </section>
  )
}
