import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { Link, paths } from '../route.tsx'
import { Time } from '../kit/time.tsx'

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
            <Link to={paths.app(app.clientId)}>
              <span class="clamp" dir="auto" title={app.name}>
                {app.name}
              </span>
            </Link>
          </th>
          <td>
            <span class="copy-cell">
              <code>{app.serviceUserId}</code>
              <CopyButton text={app.serviceUserId} what={columns.id} />
            </span>
          </td>
          <td class="minor">
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
