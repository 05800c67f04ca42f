import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import { type AppDraft, toDraft, toSettings } from './draft.ts'
import { AppFields } from './fields.tsx'
import { LimitWaits } from './limit-waits.tsx'
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
  const { calls } = usePage()
  const mayChange = useMay('operator')
  const [generation, setGeneration] = useState(0)
  const [wasSaved, setWasSaved] = useState(false)
  const [waitingFor, setWaitingFor] = useState<readonly string[] | null>(null)
  const { draft, setDraft, change, faults, isBusy, isTaken, insist, formProps } = useAppForm({
    initial: () => toDraft(app),
    send: (sent, insistence) =>
      calls.changeApp({
        clientId: app.clientId,
        ...toSettings(sent),
        ...(!sent.isUnlimited && { creditLimit: sent.creditLimit.trim() }),
        ...insistence,
      }),
    done: (response) => void finish(response),
  })
  async function finish({ creditLimitWaits, approvers }: AppChanged) {
    await reload()
    // Typed origins are now part of the lists. A limit that waits for approval is not the limit yet.
    const limit = creditLimitWaits ? { creditLimit: toDraft(app).creditLimit } : {}
    setDraft((now) => ({ ...now, ...settle(now), ...limit }))
    setWaitingFor(creditLimitWaits ? approvers : null)
    setWasSaved(true)
    notifyGrantsChanged()
  }
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
        {waitingFor && <LimitWaits text={words.limit.waitsRaise} approvers={waitingFor} />}
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

function settle(draft: AppDraft): Partial<AppDraft> {
  const { name, allowedOrigins, allowedIframeParents } = toSettings(draft)
  return {
    name,
    allowedOrigins: { listed: allowedOrigins, typed: '' },
    allowedIframeParents: { listed: allowedIframeParents, typed: '' },
    accentColor: draft.accentColor.toLowerCase(),
    creditLimit: draft.isUnlimited ? '' : String(Number(draft.creditLimit)),
  }
}
