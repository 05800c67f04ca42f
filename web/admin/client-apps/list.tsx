import { AppLink, ButtonLink } from '../kit/links.tsx'
import { useMemo } from 'preact/hooks'
import { PlusIcon } from '../../ui/icons.tsx'
import { Badge, StateBadge } from '../kit/badge.tsx'
import type { AppFilter, ListedApp } from '../calls.ts'
import { Filters, onlyGiven } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { Empty, List, type Column } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { PausedBadge } from '../kit/pause-app.tsx'
import { Time } from '../kit/time.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const SHORT_SCOPES = { 'wallet:read': 'read', 'wallet:write': 'write' }

const COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'Scopes', isMinor: true },
  { name: 'Linked users', isMinor: true, isNumber: true },
  { name: 'Last used' },
  { name: 'Created', isLeast: true },
]

function readFilter({ search, state }: Record<string, string>): AppFilter {
  const known = (['active', 'inactive', 'paused'] as const).find((each) => each === state)
  return onlyGiven<AppFilter>({ search: search?.slice(0, 100), state: known })
}

export function AppList({ parameters }: { parameters: Record<string, string> }) {
  const { call } = usePage()
  const mayRegister = useMay('operator')
  const filter = useMemo(() => readFilter(parameters), [parameters])
  const list = useList(JSON.stringify(filter), async (cursor) =>
    toListed(await call('GET /api/admin/client-apps', { ...filter, cursor }), ({ clientApps }) =>
      clientApps.map((app) => ({ ...app, key: app.clientId })),
    ),
  )
  const register = mayRegister && (
    <ButtonLink kind="primary" to={paths.newApp}>
      <PlusIcon />
      Register a client app
    </ButtonLink>
  )
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Client apps
        </h1>
        {register}
      </div>
      <Filters current={filter} searchHint="Name or clientId">
        <SelectField
          name="state"
          label="State"
          value={filter.state ?? ''}
          options={[
            ['', 'Any state'],
            ['active', 'Active'],
            ['inactive', 'Inactive'],
            ['paused', 'Writes paused'],
          ]}
        />
      </Filters>
      <List
        list={list}
        label="Client apps"
        columns={COLUMNS}
        isFiltered={Object.keys(filter).length > 0}
        empty={
          <Empty
            title="No client apps yet"
            text="Register the first one to get its clientId and secret."
          >
            {register}
          </Empty>
        }
        renderRow={(app) => <AppRow key={app.key} app={app} />}
      />
    </div>
  )
}

function AppRow({ app }: { app: ListedApp }) {
  return (
    <tr class={table.rowLink} data-row={app.clientId}>
      <th scope="row">
        <AppLink app={app} />
        <code class={base.muted}>{app.clientId}</code>
      </th>
      <td>
        <StateBadge isActive={app.isActive} />
        {app.pause && (
          <span class={table.rowSecond}>
            <PausedBadge pause={app.pause} />
          </span>
        )}
      </td>
      <td class={table.minor}>
        <span class={badge.badges}>
          {app.scopes.length === 0 && <span class={base.muted}>–</span>}
          {app.scopes.map((scope) => (
            <Badge key={scope}>{SHORT_SCOPES[scope]}</Badge>
          ))}
        </span>
      </td>
      <td class={`${table.minor} ${table.number}`}>{app.linkedUsers.toLocaleString('en')}</td>
      <td>
        <Time at={app.lastUsedAt} />
      </td>
      <td class={table.least}>
        <Time at={app.createdAt} isDay />
      </td>
    </tr>
  )
}
