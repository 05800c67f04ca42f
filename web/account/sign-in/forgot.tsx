import { Button, TextButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DoorHead, type DoorScreenProps } from './parts.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface ForgotProps extends DoorScreenProps {
  toReset: (ticket: string) => void
  toLogIn: () => void
}

export function ForgotPassword({ email, setEmail, toReset, toLogIn }: ForgotProps) {
  const { words, calls } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: (values) => ({ email: isEmail(values['email']) ? '' : words.faults.email }),
    send: ({ email: address = '' }) => calls.forgot({ email: address }),
    explain: (result) => explainRefusal(result, words, { fields: ['email'] }),
    done: ({ ticket }) => toReset(ticket),
  })
  return (
    <form class="door-form appear" {...formProps}>
      <DoorHead title={words.forgot.title}>{words.forgot.lead}</DoorHead>
      <FormFault text={faults['form']} />
      <Field
        name="email"
        type="email"
        label={words.fields.email}
        autoComplete="username"
        value={email}
        error={faults['email']}
        onInput={(input) => setEmail(input.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        {words.forgot.submit}
      </Button>
      <p class="door-small">
        <TextButton onClick={toLogIn}>{words.forgot.back}</TextButton>
      </p>
    </form>
  )
}
