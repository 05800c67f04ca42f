/** The dialog that pauses or resumes the writes of all apps or of one, and the facts of a pause. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Result } from '../../ui/request.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from './form-parts.tsx'
import type { Pause } from '../calls.ts'
import { Time } from './time.tsx'
import * as forms from './forms.module.css'
import * as styles from './pause.module.css'

interface PauseDialogProps {
  /** The requested state; a pause needs a reason. */
  isPaused: boolean
  title: string
  submit: string
  children: ComponentChildren
  send: (input: { isPaused: boolean; reason?: string }) => Promise<Result<unknown>>
  onClose: () => void
  onDone: () => Promise<void>
}

export function PauseDialog(props: PauseDialogProps) {
  const { isPaused, title, submit, children, send, onClose, onDone } = props
  const [reason, setReason] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: isPaused ? checkReason(reason) : '' }),
    send: () => send(isPaused ? { isPaused, reason: reason.trim() } : { isPaused }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () => void onDone(),
  })
  return (
    <Dialog title={title} isBusy={isBusy} isDestructive={isPaused} onClose={onClose}>
      {children}
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        {isPaused && (
          <ReasonField
            value={reason}
            error={errors['reason']}
            hint="Visible to all operators and recorded in the audit log."
            onChange={setReason}
          />
        )}
        <DialogActions cancel="Cancel" submit={submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

/** When, by whom and why writes were paused. */
export function PauseFacts({ pause }: { pause: Pause }) {
  return (
    <dl class={styles.facts}>
      <div>
        <dt>Since</dt>
        <dd>
          <Time at={pause.at} />
        </dd>
      </div>
      <div>
        <dt>By</dt>
        <dd>{pause.by}</dd>
      </div>
      <div>
        <dt>Reason</dt>
        <dd dir="auto">{pause.reason}</dd>
      </div>
    </dl>
  )
}
