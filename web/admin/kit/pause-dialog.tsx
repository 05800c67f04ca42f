/** The confirmation before writes of all apps or of one app are paused or resumed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Result } from '../../ui/request.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from './form-parts.tsx'
import * as forms from './forms.module.css'

interface SwitchDialogProps {
  /** The requested state; a pause needs a reason. */
  isPaused: boolean
  title: string
  submit: string
  children: ComponentChildren
  send: (input: { isPaused: boolean; reason?: string }) => Promise<Result<unknown>>
  onClose: () => void
  onDone: () => Promise<void>
}

export function SwitchDialog(props: SwitchDialogProps) {
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
