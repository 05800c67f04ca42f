import { Button, TextButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { AuthHead, type AuthScreenProps } from './form.tsx'
import { calls } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

export function ForgotPassword({ email, setEmail, follow, toLogIn }: AuthScreenProps) {
  const { words, data } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: (values) => ({ email: isEmail(values['email']) ? '' : words.faults.email }),
    send: ({ email: address = '' }) => calls.forgot({ clientId: data.clientId, email: address }),
    explain: (result) => explainRefusal(result, words, ['email']),
    done: (step) => follow(step),
  })
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.forgot.title}>{words.forgot.lead}</AuthHead>
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
      <p class="auth-other">
        <TextButton onClick={() => toLogIn()}>{words.verify.back}</TextButton>
      </p>
    </form>
  )
}
