import type { listWidgetCards } from '@coffer/contract/widget/cards'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { PasswordField } from '../../../ui/field.tsx'
import { FormFault } from '../../../ui/notice.tsx'
import type { NoResponse, Refusal, ResponseOf, Result } from '../../../ui/request.ts'
import { useForm, type Explanation } from '../../../ui/use-form.ts'
import type { CardTexts } from './messages.ts'
import * as styles from './card-list.module.css'

export type Proof = ResponseOf<typeof listWidgetCards>

interface ProveDialogProps {
  texts: CardTexts
  prove: (password: string) => Promise<Result<Proof>>
  onClose: () => void
  onDone: (proof: Proof) => void
}

/** The app has created the session; with the password the person proves that it is them. */
export function ProveDialog({ texts, prove, onClose, onDone }: ProveDialogProps) {
  const { title, lead, password: label, show, missing, submit, cancel } = texts.prove
  const { faults, isBusy, formProps } = useForm({
    check: ({ password }) => ({ password: password ? '' : missing }),
    send: ({ password = '' }) => prove(password),
    explain: (result) => explain(result, texts),
    done: onDone,
  })
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p>{lead}</p>
      <form class={styles.prove} {...formProps}>
        <FormFault text={faults['form']} />
        <PasswordField
          name="password"
          label={label}
          autoComplete="current-password"
          showLabel={show}
          error={faults['password']}
        />
        <DialogActions cancel={cancel} submit={submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function explain(result: Refusal | NoResponse, { prove }: CardTexts): Explanation {
  if (!result.offline && result.code === 'LOGIN_FAILED') {
    return { faults: { password: prove.wrong } }
  }
  const isLimited = !result.offline && result.status === 429
  return { faults: { form: isLimited ? prove.limited : prove.failed } }
}
