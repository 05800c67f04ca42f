import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Account } from '../calls.ts'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { ButtonLabel } from '../form-parts.tsx'
import { LimitsDialog, LimitSummary } from './limits.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../parts.module.css'
import * as settings from '../profile/settings.module.css'

type App = Account['apps'][number]

export function Apps({ account, reload }: SectionProps) {
  const { messages } = usePage()
  const [asked, setAsked] = useState<App | 'all' | null>(null)
  const [limited, setLimited] = useState<App | null>(null)
  const [done, setDone] = useState('')
  const { apps } = account
  useEffect(() => void reload(), [])
  return (
    <div class={parts.section}>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        {messages.apps.title}
      </h1>
      {done && <Done key={done} text={done} takesFocus />}
      {apps.length > 0 && <p class={`${base.muted} ${parts.sectionLead}`}>{messages.apps.lead}</p>}
      {apps.length === 0 && (
        <div class={parts.empty}>
          <p>{messages.apps.emptyTitle}</p>
          <p class={base.muted}>{messages.apps.empty}</p>
        </div>
      )}
      {apps.length > 0 && (
        <ul class={settings.cards}>
          {apps.map((app) => (
            <AppCard
              key={app.clientId}
              app={app}
              currency={account.currency}
              onLimit={() => setLimited(app)}
              onUnlink={() => setAsked(app)}
            />
          ))}
        </ul>
      )}
      {apps.length > 1 && (
        <div class={settings.formEnd}>
          <Button kind="secondary" onClick={() => setAsked('all')}>
            {messages.apps.unlinkAll}
          </Button>
        </div>
      )}
      {limited && (
        <LimitsDialog
          app={limited}
          email={account.email}
          onClose={() => setLimited(null)}
          onDone={async (isLimited) => {
            await reload()
            setDone(messages.limits[isLimited ? 'saved' : 'removed'](limited.name))
            setLimited(null)
          }}
        />
      )}
      {asked && (
        <UnlinkDialog
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={async () => {
            await reload()
            setDone(
              asked === 'all' ? messages.apps.allUnlinked : messages.apps.unlinked(asked.name),
            )
            setAsked(null)
          }}
        />
      )}
    </div>
  )
}

interface AppCardProps {
  app: App
  currency: string
  onLimit: () => void
  onUnlink: () => void
}

function AppCard({ app, currency, onLimit, onUnlink }: AppCardProps) {
  const { messages, day } = usePage()
  return (
    <li class={settings.card}>
      <span class={settings.monogram} aria-hidden="true">
        {Array.from(app.name.trim())[0]?.toLocaleUpperCase()}
      </span>
      <div class={settings.cardText}>
        <p class={settings.cardName} dir="auto">
          {app.name}
        </p>
        <p class={base.muted}>{messages.apps.since(day.date(app.linkedAt))}</p>
        <LimitSummary app={app} currency={currency} />
      </div>
      <div class={settings.cardButtons}>
        <Button kind="secondary" onClick={onLimit}>
          <ButtonLabel
            short={messages.limits.change}
            full={messages.limits.changeNamed(app.name)}
          />
        </Button>
        <Button kind="secondary" onClick={onUnlink}>
          <ButtonLabel short={messages.apps.unlink} full={messages.apps.unlinkNamed(app.name)} />
        </Button>
      </div>
    </li>
  )
}

interface UnlinkDialogProps {
  asked: App | 'all'
  onClose: () => void
  onDone: () => Promise<void>
}

function UnlinkDialog({ asked, onClose, onDone }: UnlinkDialogProps) {
  const { messages, call } = usePage()
  const isAll = asked === 'all'
  const [error, setError] = useState('')
  const [isBusy, unlink] = useBusy(async () => {
    setError('')
    const result = await (isAll
      ? call('POST /api/account/unlink-all')
      : call('POST /api/account/unlink', { clientId: asked.clientId }))
    if (result.ok) await onDone()
    else setError(explainAsText(result, messages))
  })
  return (
    <Dialog
      title={isAll ? messages.apps.allTitle : messages.apps.dialogTitle(asked.name)}
      isBusy={isBusy}
      isDestructive
      onClose={onClose}
    >
      <p>{isAll ? messages.apps.all : messages.apps.dialog(asked.name)}</p>
      <p class={base.muted}>{messages.apps.dialogAgain}</p>
      <FormError text={error} />
      <DialogActions
        cancel={messages.cancel}
        submit={isAll ? messages.apps.unlinkAll : messages.apps.unlink}
        isBusy={isBusy}
        onSubmit={unlink}
      />
    </Dialog>
  )
}
