import type { listWidgetCards } from '@coffer/contract/widget/cards'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { PasswordField } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/notice.tsx'
import type { NoResponse, Refusal, ResponseOf, Result } from '../../../ui/request.ts'
import { useForm, type Explanation } from '../../../ui/use-form.ts'
import type { SavedCardMessages } from './messages.ts'
import * as styles from './card-list.module.css'

export type ListedCards = ResponseOf<typeof listWidgetCards>

interface PasswordDialogProps {
  messages: SavedCardMessages
  listCards: (password: string) => Promise<Result<ListedCards>>
  onClose: () => void
  onDone: (listed: ListedCards) => void
}

/** The app has created the session; with the password the person proves that it is them. */
export function PasswordDialog({ messages, listCards, onClose, onDone }: PasswordDialogProps) {
  const { title, lead, password: label, show, missing, submit, cancel } = messages.password
  const { errors, isBusy, formProps } = useForm({
    check: ({ password }) => ({ password: password ? '' : missing }),
    send: ({ password = '' }) => listCards(password),
    explain: (result) => explain(result, messages),
    done: onDone,
  })
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p>{lead}</p>
      <form class={styles.form} {...formProps}>
        <FormError text={errors['form']} />
        <PasswordField
          name="password"
          label={label}
          autoComplete="current-password"
          showLabel={show}
          error={errors['password']}
        />
        <DialogActions cancel={cancel} submit={submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function explain(result: Refusal | NoResponse, { password }: SavedCardMessages): Explanation {
  if (!result.offline && result.code === 'LOGIN_FAILED') {
    return { errors: { password: password.wrong } }
  }
  const isLimited = !result.offline && result.status === 429
  return { errors: { form: isLimited ? password.limited : password.failed } }
}
