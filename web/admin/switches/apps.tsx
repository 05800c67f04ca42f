import { AppLink } from '../kit/app-link.tsx'
import { useState } from 'preact/hooks'
import { Done } from '../../ui/done.tsx'
import type { ListedApp } from '../calls.ts'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { AppPauseDialog } from '../kit/pause-app.tsx'
import { Time } from '../kit/time.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const texts = words.pausedApps
const { columns } = texts

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
    { name: columns.app },
    { name: columns.since },
    { name: columns.by, isLeast: true },
    { name: columns.reason, isMinor: true },
    ...(mayResume ? [{ name: columns.actions, isSilent: true }] : []),
  ]
  return (
    <section class={parts.part}>
      <h2>{texts.title}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
      {done && <Done key={done} text={done} takesFocus />}
      <List
        list={list}
        label={texts.title}
        columns={shown}
        isFiltered={false}
        empty={<Empty title={texts.emptyTitle} text={texts.empty} />}
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
            setDone(words.pausedApp.resumedNow(resumed.name))
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
            aria-label={words.pausedApp.resumeNamed(name)}
            onClick={onResume}
          >
            {words.pausedApp.resume}
          </button>
        </td>
      )}
    </tr>
  )
}
