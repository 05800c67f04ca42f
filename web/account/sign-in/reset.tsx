import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { CodeField, countCharacters } from '../../ui/field.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DoorHead, type DoorScreenProps } from './parts.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { isCode, NewPasswordField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'

interface ResetProps extends DoorScreenProps {
  ticket: string
  toReset: (ticket: string) => void
  toLogIn: () => void
}

export function ResetPassword(props: ResetProps) {
  const { ticket, email, enter, toReset, toLogIn } = props
  const { words, data, calls } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ code, password = '' }) => ({
      code: isCode(code) ? '' : words.faults.code,
      password:
        countCharacters(password) < data.passwordMin
          ? words.passwordTooShort(data.passwordMin)
          : '',
    }),
    send: ({ code = '', password = '' }) => calls.reset({ ticket, code, password }),
    explain: (result) => explainRefusal(result, words, { fields: ['code', 'password'] }),
    done: () => void enter(),
  })
  return (
    <form class="door-form appear" {...formProps}>
      <DoorHead title={words.reset.title} icon={<MailIcon />}>
        {words.reset.lead} <strong>{email}</strong>
      </DoorHead>
      <FormFault text={faults['form']} />
      <CodeField
        name="code"
        label={words.fields.code}
        autoComplete="one-time-code"
        error={faults['code']}
      />
      <NewPasswordField
        name="password"
        label={words.fields.newPassword}
        error={faults['password']}
      />
      <Button type="submit" isBusy={isBusy}>
        {words.reset.submit}
      </Button>
      <Resend email={email} toReset={toReset} toLogIn={toLogIn} />
    </form>
  )
}

function Resend({ email, toReset, toLogIn }: Pick<ResetProps, 'email' | 'toReset' | 'toLogIn'>) {
  const { words, calls } = usePage()
  const [news, setNews] = useState('')
  const [isBusy, resend] = useBusy(async () => {
    setNews('')
    const result = await calls.forgot({ email })
    if (result.ok) toReset(result.data.ticket)
    const trouble = result.ok ? [] : Object.values(explainRefusal(result, words).faults)
    setNews(result.ok ? words.reset.resent : trouble.join(' '))
  })
  return (
    <div class="door-resend">
      <p class="door-small muted" role="status">
        {news || words.reset.spam}
      </p>
      <div class="door-links">
        <TextButton isBusy={isBusy} onClick={resend}>
          {words.reset.resend}
        </TextButton>
        <TextButton onClick={toLogIn}>{words.forgot.back}</TextButton>
      </div>
    </div>
  )
}
