import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { usePage, type SectionProps } from '../page-context.ts'
import * as styles from './settings.module.css'

export function NamePart({ account, reload }: SectionProps) {
  const { messages, call } = usePage()
  const [isDone, setIsDone] = useState(false)
  const { errors, isBusy, formProps } = useForm({
    check: ({ firstName = '', lastName = '' }) => {
      setIsDone(false)
      return {
        firstName: firstName.trim() ? '' : messages.fieldErrors.firstName,
        lastName: lastName.trim() ? '' : messages.fieldErrors.lastName,
      }
    },
    send: ({ firstName = '', lastName = '' }) =>
      call('POST /api/account/profile', { firstName: firstName.trim(), lastName: lastName.trim() }),
    explain: (result) => explainRefusal(result, messages, ['firstName', 'lastName']),
    done: () => {
      setIsDone(true)
      void reload()
    },
  })
  return (
    <form class={styles.form} {...formProps}>
      <FormError text={errors['form']} />
      <div class={styles.pair}>
        <Field
          name="firstName"
          label={messages.fields.firstName}
          autoComplete="given-name"
          value={account.firstName}
          error={errors['firstName']}
        />
        <Field
          name="lastName"
          label={messages.fields.lastName}
          autoComplete="family-name"
          value={account.lastName}
          error={errors['lastName']}
        />
      </div>
      <div class={styles.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {messages.save}
        </Button>
        {isDone && <Done text={messages.saved} />}
      </div>
    </form>
  )
}
