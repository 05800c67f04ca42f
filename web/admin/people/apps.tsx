import { AppLink } from '../kit/app-link.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { Time } from '../kit/time.tsx'
import * as facts from '../kit/facts.module.css'
import * as table from '../kit/table.module.css'

const { columns } = words.links
const COLUMNS: readonly Column[] = [
  { name: columns.app },
  { name: columns.id },
  { name: columns.since, isMinor: true },
  { name: columns.ended },
]

/** A person has a different serviceUserId in every app, and after every new link. */
export function PersonApps({ apps }: { apps: Person['apps'] }) {
  if (apps.length === 0) return <Empty title={words.links.emptyTitle} text={words.links.empty} />
  return (
    <Table label={words.person.tabs.apps} columns={COLUMNS}>
      {apps.map((app) => (
        <tr key={app.serviceUserId}>
          <th scope="row">
            <AppLink app={app} />
          </th>
          <td>
            <span class={facts.copyCell}>
              <code>{app.serviceUserId}</code>
              <CopyButton text={app.serviceUserId} what={columns.id} />
            </span>
          </td>
          <td class={table.minor}>
            <Time at={app.linkedAt} />
          </td>
          <td>
            {app.endedAt === null ? (
              <Badge kind="good">{words.links.linked}</Badge>
            ) : (
              <Time at={app.endedAt} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}
