import { AppLink } from '../kit/links.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { Time } from '../kit/time.tsx'
import * as facts from '../kit/facts.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'Client app' },
  { name: 'serviceUserId' },
  { name: 'Linked', isMinor: true },
  { name: 'Ended' },
]

/** A person has a different serviceUserId in every app, and after every new link. */
export function PersonApps({ apps }: { apps: Person['apps'] }) {
  if (apps.length === 0)
    return <Empty title="No client apps" text="This person has never linked a client app." />
  return (
    <Table label="Client apps" columns={COLUMNS}>
      {apps.map((app) => (
        <tr key={app.serviceUserId}>
          <th scope="row">
            <AppLink app={app} />
          </th>
          <td>
            <span class={facts.copyable}>
              <code>{app.serviceUserId}</code>
              <CopyButton text={app.serviceUserId} what="serviceUserId" />
            </span>
          </td>
          <td class={table.minor}>
            <Time at={app.linkedAt} />
          </td>
          <td>
            {app.endedAt === null ? (
              <Badge kind="good">Linked now</Badge>
            ) : (
              <Time at={app.endedAt} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}
