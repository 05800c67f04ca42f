/** One client app: settings, secrets, events, integration and statement. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { ActivateDialog } from './activate.tsx'
import { DebitAlertForm } from './debit-alert.tsx'
import { AppEvents } from './events.tsx'
import { AppIntegration } from './integration.tsx'
import { AppSecrets } from './secrets.tsx'
import { AppSettingsForm } from './settings.tsx'
import { AppStatement } from './statement.tsx'
import { AppTabs } from '../kit/app-tabs.tsx'
import { StateBadge } from '../kit/badge.tsx'
import type { ClientApp } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { NotFound } from '../not-found.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { AppPauseButton, AppPauseNotice, PausedBadge } from '../kit/pause-app.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

const TABS = ['settings', 'secrets', 'events', 'integration', 'statement'] as const

interface AppDetailProps {
  clientId: string
  tab: string | undefined
}

export function AppDetail({ clientId, tab }: AppDetailProps) {
  const { call } = usePage()
  const {
    response: app,
    refusal,
    reload,
  } = useRead(clientId, () => call('GET /api/admin/client-apps/one', { clientId }))
  const current = TABS.find((each) => each === tab) ?? 'settings'
  if (refusal && !refusal.offline && refusal.code === 'NOT_FOUND') return <NotFound />
  return (
    <div class={parts.section}>
      <Link class={parts.back} to={paths.apps}>
        <BackIcon />
        Client apps
      </Link>
      <AppHead clientId={clientId} app={app} reload={reload} />
      {app?.pause && <AppPauseNotice pause={app.pause} />}
      <AppTabs clientId={clientId} current={current} />
      {refusal && <ReadFailed retry={reload} />}
      {!app && !refusal && <DetailPlaceholder />}
      {app && current === 'settings' && <AppSettingsForm app={app} reload={reload} />}
      {app && current === 'settings' && <DebitAlertForm app={app} reload={reload} />}
      {app && current === 'secrets' && <AppSecrets app={app} reload={reload} />}
      {app && current === 'events' && <AppEvents app={app} />}
      {app && current === 'integration' && <AppIntegration app={app} reload={reload} />}
      {app && current === 'statement' && <AppStatement app={app} />}
    </div>
  )
}

interface AppHeadProps {
  clientId: string
  app: ClientApp | null
  reload: () => Promise<void>
}

function AppHead({ clientId, app, reload }: AppHeadProps) {
  const mayChange = useMay('operator')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div class={parts.sectionHead}>
      <div class={parts.appTitle}>
        <h1 class={parts.sectionTitle} tabIndex={-1} dir="auto">
          {app ? app.name : <TextPlaceholder length={14} />}
          {!app && <span class={base.visuallyHidden}>Loading …</span>}
        </h1>
        <p class={parts.appId}>
          {app && <StateBadge isActive={app.isActive} />}
          {app && <PausedBadge pause={app.pause} />}
          <code class={base.muted}>{clientId}</code>
          <CopyButton text={clientId} what="clientId" />
        </p>
      </div>
      {app && mayChange && (
        <div class={parts.headActions}>
          <AppPauseButton app={app} reload={reload} />
          <Button kind="secondary" onClick={() => setIsAsking(true)}>
            {app.isActive ? 'Deactivate' : 'Activate'}
          </Button>
        </div>
      )}
      {app && isAsking && (
        <ActivateDialog app={app} reload={reload} onClose={() => setIsAsking(false)} />
      )}
    </div>
  )
}

function DetailPlaceholder() {
  return (
    <div class={forms.form} aria-hidden="true">
      {[12, 40, 18, 40, 16, 40].map((length, at) => (
        <p key={at}>
          <TextPlaceholder length={length} />
        </p>
      ))}
    </div>
  )
}
