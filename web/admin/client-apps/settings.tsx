import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done, FormError } from '../../ui/notice.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import { type AppDraft, toDraft, toSettings } from './draft.ts'
import { AppFields, CREDIT_LIMIT_MEANING } from './fields.tsx'
import { WaitsForApproval } from '../kit/grant-result.tsx'
import { AppSettlement } from './settlement.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import type { AppChanged } from '../calls.ts'
import { useMay } from '../operator-context.ts'
import { OriginTaken } from './origin-list.tsx'
import { usePage } from '../page-context.ts'
import { useAppForm } from './use-form.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as forms from '../kit/forms.module.css'

const LIMIT_WAITS =
  'The new credit limit is waiting for a second operator. Until it is approved, the old limit applies. Your other changes are saved.'

const CHANGES_WAIT =
  'Part of your changes is waiting for a second operator: new origins and scopes, and other contacts. Until it is approved, the old settings apply. Your other changes are saved.'

export function AppSettingsForm({ app, reload }: TabProps) {
  const { call } = usePage()
  const mayChange = useMay('operator')
  const [generation, setGeneration] = useState(0)
  const [wasSaved, setWasSaved] = useState(false)
  const [waiting, setWaiting] = useState<AppChanged | null>(null)
  const { draft, setDraft, change, errors, isBusy, isTaken, shareParents, formProps } = useAppForm({
    initial: () => toDraft(app),
    send: (sent, sharing) =>
      call('POST /api/admin/client-apps/change', {
        clientId: app.clientId,
        ...toSettings(sent),
        ...(!sent.isUnlimited && { creditLimit: sent.creditLimit.trim() }),
        ...sharing,
      }),
    done: (response) => void finish(response),
  })
  async function finish(changed: AppChanged) {
    await reload()
    const { creditLimitWaits, changesWait } = changed
    // Typed origins are now part of the lists. A limit that waits for approval is not the limit yet.
    const limit = creditLimitWaits ? { creditLimit: toDraft(app).creditLimit } : {}
    setDraft((now) => ({ ...now, ...normalizeDraft(now), ...limit }))
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
        <AppFields key={generation} {...{ draft, errors, change }} isReadOnly={!mayChange} />
        {!draft.isUnlimited && (
          <AmountField
            name="creditLimit"
            label="Credit limit"
            value={draft.creditLimit}
            error={errors['creditLimit']}
            hint={`${CREDIT_LIMIT_MEANING} Raising the limit counts like a bonus: above the 24-hour threshold, a second operator must approve it. Lowering it takes effect immediately.`}
            isDisabled={!mayChange}
            onChange={(creditLimit) => change({ creditLimit })}
          />
        )}
        <FormError text={errors['form']} />
        {isTaken && <OriginTaken isBusy={isBusy} onShare={shareParents} />}
        {app.isInUse && mayChange && (
          <p class={base.muted}>
            This app is in use. New origins and scopes, and other contacts, wait for a second
            operator.
          </p>
        )}
        {waiting && (
          <WaitsForApproval text={explainWaiting(waiting)} approvers={waiting.approvers} />
        )}
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
        Save changes
      </Button>
      {isDirty && !isBusy && (
        <Button kind="secondary" onClick={discard}>
          Discard
        </Button>
      )}
      {isDirty && !isBusy && <p class={base.muted}>Unsaved changes.</p>}
      {wasSaved && !isDirty && <Done text="Saved." takesFocus />}
    </div>
  )
}

function explainWaiting({ creditLimitWaits, changesWait }: AppChanged): string {
  if (!changesWait) return LIMIT_WAITS
  return creditLimitWaits ? `${CHANGES_WAIT} ${LIMIT_WAITS}` : CHANGES_WAIT
}

function normalizeDraft(draft: AppDraft): Partial<AppDraft> {
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
