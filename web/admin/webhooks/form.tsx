/** Creates or changes a webhook. */
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import type { NoResponse, Refusal, Result } from '../../ui/request.ts'
import { type Explanation, type FormErrors, useForm } from '../../ui/use-form.ts'
import type { Webhook } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { WaitsForApproval } from '../kit/grant-result.tsx'
import { usePage } from '../page-context.ts'
import { SecretDialog } from './secret.tsx'
import { EVENT_TYPES } from '../kit/event-types.ts'
import { TypeChoice } from './type-choice.tsx'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'

/** `secret`: of a new webhook; null: it waits for a second operator. */
interface Outcome {
  secret?: string | null
  changeWaits?: boolean
  approvers: readonly string[]
}

interface WebhookDialogProps {
  clientId: string
  /** The one that is changed; undefined: a new one. */
  webhook?: Webhook
  onClose: () => void
  onDone: (url: string) => Promise<void>
}

export function WebhookDialog({ clientId, webhook, onClose, onDone }: WebhookDialogProps) {
  const { call } = usePage()
  const [types, setTypes] = useState<readonly string[] | null>(webhook?.types ?? null)
  const [isEnabled, setIsEnabled] = useState(!webhook?.disabled)
  const [secret, setSecret] = useState<string | null>(null)
  const [approvers, setApprovers] = useState<readonly string[] | null>(null)
  const sent = useRef('')
  const { errors, isBusy, formProps } = useForm({
    check: ({ url = '' }) => ({
      url: /^https?:\/\/./.test(url.trim()) ? '' : 'Enter a URL that begins with https://.',
      types: types?.length === 0 ? 'Choose at least one type.' : '',
    }),
    send: async ({ url = '', description = '' }): Promise<Result<Outcome>> => {
      const given = { url: url.trim(), description: description.trim() }
      sent.current = given.url
      const chosen = types && EVENT_TYPES.filter((each) => types.includes(each))
      const settings = { clientId, ...given, types: chosen }
      if (!webhook) return call('POST /api/admin/webhooks', settings)
      const change = { ...settings, webhookId: webhook.id, isEnabled }
      return call('POST /api/admin/webhooks/change', change)
    },
    explain,
    done: (outcome) => {
      if (outcome.secret === null || outcome.changeWaits) {
        setApprovers(outcome.approvers)
        return notifyGrantsChanged()
      }
      void onDone(sent.current)
      if (outcome.secret === undefined) onClose()
      else setSecret(outcome.secret)
    },
  })
  if (approvers) return <WaitsDialog approvers={approvers} onClose={onClose} />
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  const title = webhook ? 'Change the webhook' : 'Create a webhook'
  return (
    <Dialog key="ask" title={title} isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <WebhookFields webhook={webhook} errors={errors} />
        <TypeChoice types={types} onChange={setTypes} />
        <FormError text={errors['types']} />
        {webhook && <Switch isEnabled={isEnabled} onChange={setIsEnabled} />}
        <p class={base.muted}>
          The contacts of the app are notified. If the app is in use, a second operator must approve
          a new URL.
        </p>
        <FormError text={errors['form']} />
        <DialogActions
          cancel="Cancel"
          submit={webhook ? 'Save changes' : 'Create'}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

interface WebhookFieldsProps {
  webhook: Webhook | undefined
  errors: FormErrors
}

function WebhookFields({ webhook, errors }: WebhookFieldsProps) {
  return (
    <>
      <Field
        name="url"
        label="URL"
        hint="https, reachable from the internet, such as https://shop.example/webhooks."
        autoComplete="off"
        value={webhook?.url}
        error={errors['url']}
      />
      <Field
        name="description"
        label="Description"
        hint="A label that you choose. Optional."
        autoComplete="off"
        value={webhook?.description}
        error={errors['description']}
      />
    </>
  )
}

function WaitsDialog({ approvers, onClose }: Pick<Outcome, 'approvers'> & { onClose: () => void }) {
  return (
    <Dialog key="waits" title="Waiting for a second operator" isBusy={false} onClose={onClose}>
      <WaitsForApproval
        text="Nothing has changed yet. When the URL is approved, enter the same URL here again within 24 hours."
        approvers={approvers}
      />
      <div class={dialog.actions}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}

/** The service knows best what is wrong with the URL. */
function explain(result: Refusal | NoResponse): Explanation {
  if (!result.offline && result.code === 'INVALID_REQUEST' && result.field === 'url') {
    return {
      errors: { url: (result.text ?? '').replace(/^Invalid request[.] The field url/, 'The URL') },
    }
  }
  return explainRefusal(result, ['url', 'description'])
}

interface SwitchProps {
  isEnabled: boolean
  onChange: (isEnabled: boolean) => void
}

function Switch({ isEnabled, onChange }: SwitchProps) {
  return (
    <fieldset class={forms.choices}>
      <legend>Receives events</legend>
      <Choice
        type="checkbox"
        name="isEnabled"
        value="on"
        label="Switched on"
        text="While it is off, events are only in the feed."
        isChecked={isEnabled}
        onChange={onChange}
      />
    </fieldset>
  )
}
