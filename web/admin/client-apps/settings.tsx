import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import { type AppDraft, toDraft, toSettings } from './draft.ts'
import { AppFields } from './fields.tsx'
import { LimitWaits } from '../kit/money-result.tsx'
import { AppSettlement } from './settlement.tsx'
import type { TabProps } from './tab.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import type { AppChanged } from '../calls.ts'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { OriginTaken } from './origin-taken.tsx'
import { usePage } from '../page-context.ts'
import { useAppForm } from './use-form.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as forms from '../kit/forms.module.css'

export function AppSettingsForm({ app, reload }: TabProps) {
  const { call } = usePage()
  const mayChange = useMay('operator')
  const [generation, setGeneration] = useState(0)
  const [wasSaved, setWasSaved] = useState(false)
  const [waiting, setWaiting] = useState<AppChanged | null>(null)
  const { draft, setDraft, change, faults, isBusy, isTaken, insist, formProps } = useAppForm({
    initial: () => toDraft(app),
    send: (sent, insistence) =>
      call('POST /api/admin/client-apps/change', {
        clientId: app.clientId,
        ...toSettings(sent),
        ...(!sent.isUnlimited && { creditLimit: sent.creditLimit.trim() }),
        ...insistence,
      }),
    done: (response) => void finish(response),
  })
  async function finish(changed: AppChanged) {
    await reload()
    const { creditLimitWaits, changesWait } = changed
    // Typed origins are now part of the lists. A limit that waits for approval is not the limit yet.
    const limit = creditLimitWaits ? { creditLimit: toDraft(app).creditLimit } : {}
    setDraft((now) => ({ ...now, ...settle(now), ...limit }))
    setWaiting(creditLimitWaits || changesWait ? changed : null)
    setWasSaved(true)
    notifyGrantsChanged()
  }
  // What waits for approval is not part of the settings yet.
  useEffect(() => {
    if (waiting?.changesWait) setDraft(toDraft(app))
  }, [app, waiting])
  const isDirty = JSON.stringify(draft) !== JSON.stringify(toDraft(app))
  function discard() {
    setDraft(toDraft(app))
    setGeneration(generation + 1)
  }
  return (
    <div class={detail.columns}>
      <form class={forms.form} {...formProps}>
        <AppFields key={generation} {...{ draft, faults, change }} isReadOnly={!mayChange} />
        {!draft.isUnlimited && (
          <AmountField
            name="creditLimit"
            label={words.limit.label}
            value={draft.creditLimit}
            error={faults['creditLimit']}
            hint={`${words.limit.meaning} ${words.limit.secondRaise}`}
            isDisabled={!mayChange}
            onChange={(creditLimit) => change({ creditLimit })}
          />
        )}
        <FormFault text={faults['form']} />
        {isTaken && <OriginTaken isBusy={isBusy} onInsist={insist} />}
        {app.isInUse && mayChange && <p class={base.muted}>{words.changes.inUse}</p>}
        {waiting && <LimitWaits text={explainWaiting(waiting)} approvers={waiting.approvers} />}
        {mayChange && <SaveBar {...{ isDirty, isBusy, wasSaved, discard }} />}
      </form>
      <AppSettlement app={app} />
    </div>
  )
}

interface SaveBarProps {
  isDirty: boolean
  isBusy: boolean
  wasSaved: boolean
  discard: () => void
}

function SaveBar({ isDirty, isBusy, wasSaved, discard }: SaveBarProps) {
  return (
    <div class={isDirty ? `${forms.formEnd} ${forms.formBar}` : forms.formEnd}>
      <Button type="submit" isBusy={isBusy} isDisabled={!isDirty && !isBusy}>
        {words.save}
      </Button>
      {isDirty && !isBusy && (
        <Button kind="secondary" onClick={discard}>
          {words.detail.discard}
        </Button>
      )}
      {isDirty && !isBusy && <p class={base.muted}>{words.detail.dirty}</p>}
      {wasSaved && !isDirty && <Done text={words.saved} takesFocus />}
    </div>
  )
}

function explainWaiting({ creditLimitWaits, changesWait }: AppChanged): string {
  const { waitsRaise } = words.limit
  if (!changesWait) return waitsRaise
  return creditLimitWaits ? `${words.changes.wait} ${waitsRaise}` : words.changes.wait
}

function settle(draft: AppDraft): Partial<AppDraft> {
  const { name, allowedOrigins, allowedIframeParents, contactEmails = [] } = toSettings(draft)
  return {
    name,
    contactEmails: contactEmails.join(', '),
    allowedOrigins: { listed: allowedOrigins, typed: '' },
    allowedIframeParents: { listed: allowedIframeParents, typed: '' },
    accentColor: draft.accentColor.toLowerCase(),
    creditLimit: draft.isUnlimited ? '' : String(Number(draft.creditLimit)),
  }
}
