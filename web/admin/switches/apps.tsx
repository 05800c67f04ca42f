import { AppLink } from '../kit/links.tsx'
import { useState } from 'preact/hooks'
import { Done } from '../../ui/notice.tsx'
import type { ListedApp } from '../calls.ts'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { AppPauseDialog } from '../kit/pause-app.tsx'
import { Time } from '../kit/time.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

export function PausedApps() {
  const { call } = usePage()
  const mayResume = useMay('operator')
  const [resumed, setResumed] = useState<ListedApp | null>(null)
  const [done, setDone] = useState('')
  const list = useList('paused', async (cursor) =>
    toListed(
      await call('GET /api/admin/client-apps', { state: 'paused', cursor }),
      ({ clientApps }) => clientApps.map((app) => ({ ...app, key: app.clientId })),
    ),
  )
  const shown: Column[] = [
    { name: 'Client app' },
    { name: 'Since' },
    { name: 'By', isLeast: true },
    { name: 'Reason', isMinor: true },
    ...(mayResume ? [{ name: 'Actions', isVisuallyHidden: true }] : []),
  ]
  return (
    <section class={parts.part}>
      <h2>Paused client apps</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        Writes of these apps are paused. To pause an app, open its page.
      </p>
      {done && <Done key={done} text={done} takesFocus />}
      <List
        list={list}
        label="Paused client apps"
        columns={shown}
        isFiltered={false}
        empty={
          <Empty
            title="No client apps are paused"
            text="Every app can write as its scopes allow."
          />
        }
        renderRow={(app) => (
          <PausedRow
            key={app.key}
            app={app}
            onResume={mayResume ? () => setResumed(app) : undefined}
          />
        )}
      />
      {resumed && (
        <AppPauseDialog
          app={resumed}
          onClose={() => setResumed(null)}
          onDone={async () => {
            await list.retry()
            setResumed(null)
            setDone(`Writes of ${resumed.name} resumed.`)
          }}
        />
      )}
    </section>
  )
}

interface PausedRowProps {
  app: ListedApp
  onResume: (() => void) | undefined
}

function PausedRow({ app, onResume }: PausedRowProps) {
  const { clientId, name, pause } = app
  return (
    <tr data-row={clientId}>
      <th scope="row">
        <AppLink app={app} />
        <code class={base.muted}>{clientId}</code>
      </th>
      <td>
        <Time at={pause?.at ?? null} />
      </td>
      <td class={table.least}>
        <span class={table.cut} title={pause?.by}>
          {pause?.by}
        </span>
      </td>
      <td class={`${table.wide} ${table.minor}`} dir="auto">
        {pause?.reason}
      </td>
      {onResume && (
        <td class={table.actions}>
          <button
            class={button.textButton}
            type="button"
            aria-label={`Resume writes: ${name}`}
            onClick={onResume}
          >
            Resume writes
          </button>
        </td>
      )}
    </tr>
  )
}
